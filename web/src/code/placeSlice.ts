import { listFolders } from '@/api/code'
import { words } from '@/api/http'
import type { FolderList } from '@/api/protocol.gen'
import type { CodeStateSlice } from './store'

/** A walk through the folders of the machine, to choose one. */
export interface PlaceSlice {
  /** Where one is; nothing until it is known. */
  place: FolderList | null
  placeTrouble: string | null
  /** The folder that is being looked into. */
  walking: string | null

  /** Without a path, to the user's own folder. */
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
      // Another one is wanted meanwhile.
      if (get().walking === path) set({ place, walking: null })
    } catch (error) {
      if (get().walking === path) set({ placeTrouble: words(error), walking: null })
    }
  },
})
