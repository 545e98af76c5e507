import { shownBackground } from '@/backdrop/Backdrop'
import { useStore } from '@/store'

/**
 * Returns the kind of background behind the avatar. The brightness of a sky is known everywhere; on any
 * other, text needs a pane of its own.
 */
export function useBackgroundKind(): 'sky' | 'colour' | 'picture' {
  return useStore((state) => shownBackground(state.backgrounds).kind)
}
