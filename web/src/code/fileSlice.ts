import { errorText } from '@/api/http'
import { currentRoot } from './rootSlice'
import type { CodeSliceOf, FileSlice } from './state'
import { ancestors, buildTree, ticked } from './tree'

export const NO_FILES = { files: null, paths: new Set<string>(), tree: buildTree([]), moreFiles: false, filesTrouble: null, openFolders: new Set<string>(), filter: '', choosing: null }

export const fileSlice: CodeSliceOf<FileSlice> = ({ api }) => (set, get) => ({
  ...NO_FILES,

  refreshFiles: async () => {
    const { root, files: before } = get()
    if (root === null) return
    try {
      const { files, more } = await api.listFiles(root)
      // The user has switched to another folder meanwhile.
      if (get().root !== root) return
      set({ files, paths: new Set(files.map(({ path }) => path)), tree: buildTree(files), moreFiles: more, filesTrouble: null })
      // The list of folders contains the progress of indexing.
      if (before !== null) void get().refreshRoots()
    } catch (error) {
      if (get().root !== root) return
      set({ filesTrouble: errorText(error) })
      // The folder itself may be gone, which the list of folders shows.
      void get().refreshRoots()
    }
  },

  setFolder: (path, open) =>
    set(({ openFolders }) => {
      const changed = new Set(openFolders)
      if (open) changed.add(path)
      else changed.delete(path)
      return { openFolders: changed }
    }),

  reveal: (path) => {
    const shut = ancestors(path).filter((folder) => !get().openFolders.has(folder))
    if (shut.length > 0) set(({ openFolders }) => ({ openFolders: new Set([...openFolders, ...shut]) }))
  },

  setFilter: (filter) => set({ filter }),

  beginChoosing: () => set((state) => ({ choosing: [...(currentRoot(state)?.include ?? [])], filter: '' })),
  tick: (path) => set(({ choosing, tree }) => (choosing === null ? {} : { choosing: ticked(tree, choosing, path) })),
  chooseAll: () => set({ choosing: [] }),
  endChoosing: async (how) => {
    const { choosing } = get()
    if (choosing === null || how === 'drop' || (await get().include(choosing))) set({ choosing: null })
  },
})
