import { useEffect } from 'react'
import { matches } from '@/actions/keys'
import { useStore } from '@/store'
import { codeActions } from './actions'
import { useCode } from './store'

/** Provides the keyboard shortcuts of the workspace, wherever the focus is in it. */
export function useCodeKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented || useStore.getState().overlay !== null || useCode.getState().picker !== null) return
      const action = codeActions().find(({ keys }) => keys && matches(event, keys))
      if (!action) return
      event.preventDefault()
      action.run(useCode.getState())
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
