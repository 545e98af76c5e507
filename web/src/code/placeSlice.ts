import { words } from '@/api/http'
import type { CodeSliceOf, PlaceSlice } from './state'

export const placeSlice: CodeSliceOf<PlaceSlice> = ({ api }) => (set, get) => ({
  place: null,
  placeTrouble: null,
  walking: null,

  walkTo: async (path = '') => {
    set({ walking: path, placeTrouble: null })
    try {
      const place = await api.listFolders(path)
      // Another folder may have been requested meanwhile.
      if (get().walking === path) set({ place, walking: null })
    } catch (error) {
      if (get().walking === path) set({ placeTrouble: words(error), walking: null })
    }
  },
})
