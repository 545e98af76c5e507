import { shownOf } from '@/backdrop/Backdrop'
import { useStore } from '@/store'

/** What she stands before. Of a sky it is known how bright it is where; before anything else words need a pane of their own. */
export function useBehind(): 'sky' | 'colour' | 'picture' {
  return useStore((state) => shownOf(state.backgrounds).kind)
}
