import { readFile, saveFile } from '@/api/code'
import { ApiFailure, isMissing, words } from '@/api/http'
import type { CodeFileView } from '@/api/protocol.gen'
import { own } from '@/design/own'
import { useStore } from '@/store'
import { omit } from '@/store/omit'
import type { CodeStateSlice } from './store'
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
  trouble: string | null
  saving: boolean
  /** The file as others have changed it meanwhile. `null`: it is gone. */
  conflict: { theirs: CodeFileView | null } | null
}

const UNREAD: Buffer = { file: null, written: null, trouble: null, saving: false, conflict: null }

export interface BufferSlice {
  buffers: Record<string, Buffer>

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

export const bufferSlice: CodeStateSlice<BufferSlice> = (set, get) => {
  const of = (path: string) => own(get().buffers, path)
  const put = (path: string, change: Partial<Buffer>) => set(({ buffers }) => ({ buffers: { ...buffers, [path]: { ...(own(buffers, path) ?? UNREAD), ...change } } }))

  /** Reads the file anew. Where something is written in it that is not saved, others may have been there first. */
  const look = async (path: string) => {
    const { root } = get()
    try {
      const theirs = await readFile(path)
      const here = of(path)
      if (get().root !== root || !here || here.saving) return
      if (here.file?.hash === theirs.hash) {
        // What she may change may be other than it was, and so what can be edited.
        const file = here.file.editable === theirs.editable ? here.file : theirs
        if (here.trouble !== null || here.conflict || file !== here.file) put(path, { file, trouble: null, conflict: null })
      } else if (here.written) put(path, { conflict: { theirs } })
      else put(path, { file: theirs, trouble: null, conflict: null })
    } catch (error) {
      const here = of(path)
      if (get().root !== root || !here) return
      if (isMissing(error) && here.written) put(path, { conflict: { theirs: null } })
      else put(path, isMissing(error) ? { file: null, trouble: words(error) } : { trouble: words(error) })
    }
  }

  const send = async (path: string, hash: string | null) => {
    const before = of(path)
    if (!before?.written || before.saving) return
    const { written } = before
    const { root } = get()
    const content = written.text()
    put(path, { saving: true, trouble: null })
    try {
      await saveFile({ path, content, ...(hash === null ? {} : { hash }) })
      // Its symbols are others now, and a formatter may have been at it.
      const saved = await readFile(path)
      if (get().root !== root || !of(path)) return
      // More may have been written while it was on its way.
      const same = of(path)?.written === written
      put(path, { file: saved, saving: false, conflict: null, ...(same ? { written: null } : {}) })
    } catch (error) {
      if (get().root !== root || !of(path)) return
      put(path, { saving: false })
      if (error instanceof ApiFailure && error.status === 409) await look(path)
      // Where the disk has nothing to show either, it is said at least.
      if (of(path) && !of(path)?.conflict) useStore.getState().notify({ tone: 'danger', text: `${nameOf(path)} is not saved. ${words(error)}` })
    }
  }

  return {
    buffers: {},

    readBuffer: async (path) => {
      if (of(path)?.file) return
      put(path, { trouble: null })
      await look(path)
    },

    write: (path, written) => {
      const here = of(path)
      if (here && here.written !== written) put(path, { written })
    },

    save: async (path) => {
      const here = of(path)
      if (here?.written && !here.conflict) await send(path, here.file?.hash ?? null)
    },

    keepMine: async (path) => {
      const conflict = of(path)?.conflict
      if (conflict) await send(path, conflict.theirs?.hash ?? null)
    },

    takeTheirs: (path) => {
      const conflict = of(path)?.conflict
      if (!conflict) return
      if (conflict.theirs) put(path, { file: conflict.theirs, written: null, conflict: null })
      else get().closeTab(`file ${path}`)
    },

    dropBuffer: (path) => set(({ buffers }) => ({ buffers: omit(buffers, path) })),

    refreshBuffers: async () => {
      await Promise.all(Object.keys(get().buffers).map(look))
    },
  }
}
