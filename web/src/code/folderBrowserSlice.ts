import { errorText } from '@/api/http'
import type { CodeSliceOf, FolderBrowserSlice } from './state'

export const folderBrowserSlice: CodeSliceOf<FolderBrowserSlice> = ({ api }) => (set, get) => ({
  browsedFolder: null,
  browseTrouble: null,
  browsing: null,

  browseTo: async (path = '') => {
    set({ browsing: path, browseTrouble: null })
    try {
      const browsedFolder = await api.listFolders(path)
      // Another folder may have been requested meanwhile.
      if (get().browsing === path) set({ browsedFolder, browsing: null })
    } catch (error) {
      if (get().browsing === path) set({ browseTrouble: errorText(error), browsing: null })
    }
  },
})
