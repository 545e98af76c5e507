import { forgetRoot, includePaths, listRoots, openRoot } from '@/api/code'
import { words } from '@/api/http'
import type { CodeRoot, CodeRootList, IndexState } from '@/api/protocol.gen'
import { useStore } from '@/store'
import type { CodeState, CodeStateSlice } from './store'

/** The folders that are worked in. */
export interface RootSlice {
  /** Nothing until it is known. */
  roots: CodeRoot[] | null
  root: string | null
  rootsTrouble: string | null
  /** The folder that is being opened. */
  opening: string | null
  /** Why it could not be. */
  openTrouble: string | null

  refreshRoots: () => Promise<void>
  /** Whether it is open now. */
  openFolder: (path: string) => Promise<boolean>
  forgetFolder: (path: string) => Promise<void>
  /** What she may change; none means all. */
  include: (paths: string[]) => Promise<boolean>
  indexed: (root: string, index: IndexState) => void
  dropOpenTrouble: () => void
}

export function currentRoot({ roots, root }: Pick<CodeState, 'roots' | 'root'>): CodeRoot | null {
  return roots?.find(({ path }) => path === root) ?? null
}

export const rootSlice: CodeStateSlice<RootSlice> = (set, get) => {
  const take = ({ current, roots }: CodeRootList) => {
    const before = get().root
    set({ roots, root: current ?? null, rootsTrouble: null })
    if (before !== (current ?? null)) get().enterRoot(current ?? null)
  }

  return {
    roots: null,
    root: null,
    rootsTrouble: null,
    opening: null,
    openTrouble: null,

    refreshRoots: async () => {
      try {
        take(await listRoots())
      } catch (error) {
        set({ rootsTrouble: words(error) })
      }
    },

    openFolder: async (path) => {
      if (get().opening !== null) return false
      set({ opening: path, openTrouble: null })
      try {
        await openRoot(path)
        take(await listRoots())
        return true
      } catch (error) {
        set({ openTrouble: words(error) })
        return false
      } finally {
        set({ opening: null })
      }
    },

    forgetFolder: async (path) => {
      try {
        await forgetRoot(path)
        take(await listRoots())
      } catch (error) {
        useStore.getState().notify({ tone: 'danger', text: words(error) })
      }
    },

    include: async (paths) => {
      const { root } = get()
      try {
        await includePaths(paths)
        set((state) => ({ roots: state.roots?.map((known) => (known.path === root ? { ...known, include: paths } : known)) ?? null }))
        void get().refreshFiles()
        void get().refreshBuffers()
        return true
      } catch (error) {
        useStore.getState().notify({ tone: 'danger', text: words(error) })
        return false
      }
    },

    indexed: (root, index) => set((state) => ({ roots: state.roots?.map((known) => (known.path === root ? { ...known, index } : known)) ?? null })),

    dropOpenTrouble: () => set({ openTrouble: null }),
  }
}
