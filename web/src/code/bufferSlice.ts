import { readFile, saveFile } from '@/api/code'
import { ApiFailure, isMissing, isRefused, words } from '@/api/http'
import type { CodeFileView } from '@/api/protocol.gen'
import { own } from '@/design/own'
import { useStore } from '@/store'
import { omit } from '@/store/omit'
import type { CodeState, CodeStateSlice } from './store'
import { nameOf } from './tree'

/** What somebody has written in the editor: the text is made of it only when it is needed. */
export interface Written {
  text: () => string
}

/** A file that is open. */
export interface Buffer {
  /** As it was on the disk when it was read or saved last; nothing until it is here. */
  file: CodeFileView | null
  /** What stands in the editor and not on the disk. */
  written: Written | null
  /** Why it could not be read, and whether it may be another time. */
  trouble: { text: string; again: boolean } | null
  saving: boolean
  /** The file as others have changed it meanwhile. `null`: it is gone. */
  conflict: { theirs: CodeFileView | null } | null
}

const UNREAD: Buffer = { file: null, written: null, trouble: null, saving: false, conflict: null }

export type Buffers = Record<string, Buffer>

export const unsaved = (buffers: Buffers) => Object.values(buffers).some(({ written }) => written !== null)

export interface BufferSlice {
  /** Of the folder that is shown. */
  buffers: Buffers
  /** What is written and not saved in folders that are not shown, by folder. */
  left: Record<string, Buffers>

  readBuffer: (path: string) => Promise<void>
  /** `written` is null where the text is what is on the disk. */
  write: (path: string, written: Written | null) => void
  save: (path: string) => Promise<void>
  /** Out of a conflict: what is written here, over what others wrote. */
  keepMine: (path: string) => Promise<void>
  /** Out of a conflict: what others wrote, in place of what is written here. */
  takeTheirs: (path: string) => void
  dropBuffer: (path: string) => void
  /** Looks at the disk again: what nobody writes in follows it, and what somebody writes in is asked about. */
  refreshBuffers: () => Promise<void>
}

/** What is open in a folder, whether it is shown or not. */
export function buffersOf({ root, buffers, left }: Pick<CodeState, 'root' | 'buffers' | 'left'>, folder: string): Buffers {
  return folder === root ? buffers : (own(left, folder) ?? {})
}

/** What is open after a turn to another folder: nothing of the one before, but what is not saved there waits for a return. */
export function turned({ root, buffers, left }: Pick<CodeState, 'root' | 'buffers' | 'left'>, to: string | null): Pick<BufferSlice, 'buffers' | 'left'> {
  const waiting = Object.fromEntries(Object.entries(buffers).filter(([, { written }]) => written !== null))
  const all = root === null || Object.keys(waiting).length === 0 ? left : { ...left, [root]: waiting }
  return to === null ? { buffers: {}, left: all } : { buffers: own(all, to) ?? {}, left: omit(all, to) }
}

export const bufferSlice: CodeStateSlice<BufferSlice> = (set, get) => {
  const of = (folder: string, path: string) => own(buffersOf(get(), folder), path)
  const put = (folder: string, path: string, change: Partial<Buffer>) =>
    set((state) => {
      const known = buffersOf(state, folder)
      const changed = { ...known, [path]: { ...(own(known, path) ?? UNREAD), ...change } }
      return folder === state.root ? { buffers: changed } : { left: { ...state.left, [folder]: changed } }
    })

  /** Reads the file anew. Where something is written in it that is not saved, others may have been there first. */
  const look = async (root: string, path: string) => {
    try {
      const theirs = await readFile(root, path)
      const here = of(root, path)
      if (!here || here.saving) return
      if (here.file?.hash === theirs.hash) {
        // What she may change may be other than it was, and so what can be edited.
        const file = here.file.editable === theirs.editable ? here.file : theirs
        if (here.trouble !== null || here.conflict || file !== here.file) put(root, path, { file, trouble: null, conflict: null })
      } else if (here.written) put(root, path, { conflict: { theirs } })
      else put(root, path, { file: theirs, trouble: null, conflict: null })
    } catch (error) {
      const here = of(root, path)
      if (!here) return
      const trouble = { text: words(error), again: !isRefused(error) }
      if (isMissing(error) && here.written) put(root, path, { conflict: { theirs: null } })
      else put(root, path, isMissing(error) ? { file: null, trouble } : { trouble })
    }
  }

  /** A file is saved where it was opened, whichever folder is shown by then. */
  const send = async (root: string, path: string, hash: string | null) => {
    const before = of(root, path)
    if (!before?.written || before.saving) return
    const { written } = before
    const content = written.text()
    put(root, path, { saving: true, trouble: null })
    try {
      await saveFile({ root, path, content, ...(hash === null ? {} : { hash }) })
      // Its symbols are others now, and a formatter may have been at it.
      const saved = await readFile(root, path)
      const here = of(root, path)
      if (!here) return
      // More may have been written while it was on its way.
      put(root, path, { file: saved, saving: false, conflict: null, ...(here.written === written ? { written: null } : {}) })
    } catch (error) {
      if (!of(root, path)) return
      put(root, path, { saving: false })
      if (error instanceof ApiFailure && error.status === 409) await look(root, path)
      // Where the disk has nothing to show either, it is said at least.
      if (of(root, path) && !of(root, path)?.conflict) useStore.getState().notify({ tone: 'danger', text: `${nameOf(path)} is not saved. ${words(error)}` })
    }
  }

  /** Does something to a file of the folder that is shown. */
  const at = <T>(path: string, doIt: (root: string, here: Buffer | undefined) => T): T | undefined => {
    const { root } = get()
    return root === null ? undefined : doIt(root, of(root, path))
  }

  return {
    buffers: {},
    left: {},

    readBuffer: async (path) =>
      at(path, async (root, here) => {
        if (here?.file) return
        put(root, path, { trouble: null })
        await look(root, path)
      }),

    write: (path, written) =>
      at(path, (root, here) => {
        if (here && here.written !== written) put(root, path, { written })
      }),

    save: async (path) =>
      at(path, async (root, here) => {
        if (here?.written && !here.conflict) await send(root, path, here.file?.hash ?? null)
      }),

    keepMine: async (path) =>
      at(path, async (root, here) => {
        if (here?.conflict) await send(root, path, here.conflict.theirs?.hash ?? null)
      }),

    takeTheirs: (path) =>
      at(path, (root, here) => {
        if (!here?.conflict) return
        if (here.conflict.theirs) put(root, path, { file: here.conflict.theirs, written: null, conflict: null })
        else get().closeTab(`file ${path}`)
      }),

    dropBuffer: (path) => set(({ buffers }) => ({ buffers: omit(buffers, path) })),

    refreshBuffers: async () => {
      const { root, buffers } = get()
      if (root !== null) await Promise.all(Object.keys(buffers).map((path) => look(root, path)))
    },
  }
}
