import { errorText } from '@/api/http'
import type { CodeRoot, CodeRootList } from '@/api/protocol.gen'
import { storedInTab, storeInTab } from '@/shell/storage'
import { hasUnsaved } from './bufferSlice'
import type { CodeSliceOf, CodeState, RootSlice } from './state'

export function currentRoot({ roots, root }: Pick<CodeState, 'roots' | 'root'>): CodeRoot | null {
  return roots?.find(({ path }) => path === root) ?? null
}

export const rootSlice: CodeSliceOf<RootSlice> = ({ api, notices }) => (set, get) => {
  // Counts changes, so that the response to an earlier request can be recognised as outdated.
  let wish = 0

  /** Stores the list. The current folder is kept, unless another is `wanted` or it is no longer listed. */
  const take = ({ current, roots }: CodeRootList, wanted: string | null = get().root ?? storedInTab('code-root')) => {
    const before = get()
    const has = (path: string | null) => roots.some((known) => known.path === path)
    // The folder was removed from the list elsewhere. Unsaved content keeps it here.
    const kept = wanted === before.root && !has(wanted) && hasUnsaved(before.buffers) ? currentRoot(before) : null
    const root = kept || has(wanted) ? wanted : (current ?? null)
    set({ roots: kept ? [kept, ...roots] : roots, rootsTrouble: null })
    if (before.root === root) return
    storeInTab('code-root', root)
    get().enterRoot(root)
  }

  return {
    roots: null,
    root: null,
    rootsTrouble: null,
    opening: null,
    openTrouble: null,

    refreshRoots: async () => {
      wish += 1
      const mine = wish
      try {
        const list = await api.listRoots()
        if (mine === wish) take(list)
      } catch (error) {
        if (mine === wish) set({ rootsTrouble: errorText(error) })
      }
    },

    openFolder: async (path) => {
      if (get().opening !== null) return false
      set({ opening: path, openTrouble: null })
      try {
        const list = await api.openRoot(path)
        wish += 1
        take(list, list.current ?? null)
        return true
      } catch (error) {
        set({ openTrouble: errorText(error) })
        return false
      } finally {
        set({ opening: null })
      }
    },

    forgetFolder: async (path) => {
      try {
        await api.forgetRoot(path)
        const list = await api.listRoots()
        wish += 1
        take(list, path === get().root ? (list.current ?? null) : get().root)
      } catch (error) {
        notices.notify({ tone: 'danger', text: errorText(error) })
      }
    },

    include: async (paths) => {
      const { root } = get()
      if (root === null) return false
      try {
        await api.includePaths(root, paths)
        set((state) => ({ roots: state.roots?.map((known) => (known.path === root ? { ...known, include: paths } : known)) ?? null }))
        void get().refreshFiles()
        void get().refreshBuffers()
        return true
      } catch (error) {
        notices.notify({ tone: 'danger', text: errorText(error) })
        return false
      }
    },

    indexed: (root, index) => set((state) => ({ roots: state.roots?.map((known) => (known.path === root ? { ...known, index } : known)) ?? null })),

    dropOpenTrouble: () => set({ openTrouble: null }),
  }
}
