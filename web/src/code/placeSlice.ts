import { listFolders } from '@/api/code'
import { words } from '@/api/http'
import type { FolderList } from '@/api/protocol.gen'
import type { CodeStateSlice } from './store'

/** The folder browser, used to choose a folder of the machine. */
export interface PlaceSlice {
  /** The current folder, or null until it is loaded. */
  place: FolderList | null
  placeTrouble: string | null
  /** The folder being loaded. */
  walking: string | null

  /** Opens a folder; without a path, the user's home folder. */
  walkTo: (path?: string) => Promise<void>
}

export const placeSlice: CodeStateSlice<PlaceSlice> = (set, get) => ({
  place: null,
  placeTrouble: null,
  walking: null,

  walkTo: async (path = '') => {
    set({ walking: path, placeTrouble: null })
    try {
      const place = await listFolders(path)
      // Another folder may have been requested meanwhile.
      if (get().walking === path) set({ place, walking: null })
    } catch (error) {
      if (get().walking === path) set({ placeTrouble: words(error), walking: null })
    }
  },
})
