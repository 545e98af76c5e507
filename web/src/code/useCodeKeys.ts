import { useEffect } from 'react'
import { matches } from '@/actions/keys'
import { useStore } from '@/store'
import { workspaceActions } from './actions'
import { useCodeStore } from './useCodeStore'

/** Provides the keyboard shortcuts of the workspace, wherever the focus is in it. */
export function useCodeKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented || useStore.getState().overlay !== null || useCodeStore.getState().picker !== null) return
      const action = workspaceActions().find(({ keys }) => keys && matches(event, keys))
      if (!action) return
      event.preventDefault()
      action.run(useCodeStore.getState())
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
