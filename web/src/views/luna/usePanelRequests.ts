import { useEffect } from 'react'
import { cue } from '@/body/cues'
import { useStore } from '@/store'
import { PANELS } from './panels/registry'

/** The orders already carried out, so that a user who returns to the view finds the panels as they were. */
const followed = new Set<string>()

/**
 * Opens and closes panels as ordered by the companion, and turns the avatar's eyes to those it opens. Orders
 * for panels that do not exist or have nothing to show are ignored.
 */
export function usePanelRequests(open: (id: string) => void, close: (id: string) => void, whereIs: (id: string) => { x: number; y: number } | null): void {
  const orders = useStore((state) => state.panelRequests)
  useEffect(() => {
    const fresh = orders.filter(({ id }) => !followed.has(id))
    for (const { id, panel, open: wanted } of fresh) {
      followed.add(id)
      const kind = PANELS.find((known) => known.id === panel)
      if (!kind?.when(useStore.getState())) continue
      if (wanted) {
        open(panel)
        const at = whereIs(panel)
        if (at) cue({ action: 'look', ...at })
      } else close(panel)
    }
  }, [orders, open, close, whereIs])
}
