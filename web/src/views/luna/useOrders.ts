import { useEffect } from 'react'
import { cue } from '@/body/cues'
import { useStore } from '@/store'
import { PANELS } from './panels/registry'

/** Of orders that were followed, so that whoever goes away and comes back finds things as they left them. */
const followed = new Set<string>()

/** She opens and closes panels, and looks at what she opened. One that there is not, or that has nothing to show, is left alone. */
export function useOrders(open: (id: string) => void, close: (id: string) => void, whereIs: (id: string) => { x: number; y: number } | null): void {
  const orders = useStore((state) => state.panelOrders)
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
