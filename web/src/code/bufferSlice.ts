import { ApiFailure, isMissing, isRefused, errorText } from '@/api/http'
import { own } from '@/design/own'
import { omit } from '@/store/omit'
import type { Buffer, Buffers, BufferSlice, CodeSliceOf, CodeState } from './state'
import { nameOf } from './tree'

const UNREAD: Buffer = { file: null, unsaved: null, trouble: null, saving: false, conflict: null }

export const hasUnsaved = (buffers: Buffers) => Object.values(buffers).some(({ unsaved }) => unsaved !== null)

/** Returns the open files of a folder, whether it is the current one or not. */
export function buffersOf({ root, buffers, otherBuffers }: Pick<CodeState, 'root' | 'buffers' | 'otherBuffers'>, folder: string): Buffers {
  return folder === root ? buffers : (own(otherBuffers, folder) ?? {})
}

/**
 * Returns the buffers after a switch to another folder. Of the old one, only unsaved ones are kept, until a
 * return.
 */
export function switchedBuffers({ root, buffers, otherBuffers }: Pick<CodeState, 'root' | 'buffers' | 'otherBuffers'>, to: string | null): Pick<BufferSlice, 'buffers' | 'otherBuffers'> {
  const waiting = Object.fromEntries(Object.entries(buffers).filter(([, { unsaved }]) => unsaved !== null))
  const all = root === null || Object.keys(waiting).length === 0 ? otherBuffers : { ...otherBuffers, [root]: waiting }
  return to === null ? { buffers: {}, otherBuffers: all } : { buffers: own(all, to) ?? {}, otherBuffers: omit(all, to) }
}

export const bufferSlice: CodeSliceOf<BufferSlice> = ({ api, notices }) => (set, get) => {
  const of = (folder: string, path: string) => own(buffersOf(get(), folder), path)
  const put = (folder: string, path: string, change: Partial<Buffer>) =>
    set((state) => {
      const known = buffersOf(state, folder)
      const changed = { ...known, [path]: { ...(own(known, path) ?? UNREAD), ...change } }
      return folder === state.root ? { buffers: changed } : { otherBuffers: { ...state.otherBuffers, [folder]: changed } }
    })

  /** Reads the file again. If it has unsaved content, the version on the disk may cause a conflict. */
  const reload = async (root: string, path: string) => {
    try {
      const theirs = await api.readFile(root, path)
      const here = of(root, path)
      if (!here || here.saving) return
      if (here.file?.hash === theirs.hash) {
        // The agent's permissions may have changed, and with them whether the file is editable.
        const file = here.file.editable === theirs.editable ? here.file : theirs
        if (here.trouble !== null || here.conflict || file !== here.file) put(root, path, { file, trouble: null, conflict: null })
      } else if (here.unsaved) put(root, path, { conflict: { theirs } })
      else put(root, path, { file: theirs, trouble: null, conflict: null })
    } catch (error) {
      const here = of(root, path)
      if (!here) return
      const trouble = { text: errorText(error), again: !isRefused(error) }
      if (isMissing(error) && here.unsaved) put(root, path, { conflict: { theirs: null } })
      else put(root, path, isMissing(error) ? { file: null, trouble } : { trouble })
    }
  }

  /** Saves a file in the folder where it was opened, whichever folder is current by then. */
  const send = async (root: string, path: string, hash: string | null) => {
    const before = of(root, path)
    if (!before?.unsaved || before.saving) return
    const { unsaved } = before
    const content = unsaved.text()
    put(root, path, { saving: true, trouble: null })
    try {
      await api.saveFile({ root, path, content, ...(hash === null ? {} : { hash }) })
    } catch (error) {
      if (!of(root, path)) return
      put(root, path, { saving: false })
      if (error instanceof ApiFailure && error.status === 409) await reload(root, path)
      // If no conflict explains the failure, at least a notice does.
      if (of(root, path) && !of(root, path)?.conflict) notices.notify({ tone: 'danger', text: `${nameOf(path)} is not saved. ${errorText(error)}` })
      return
    }
    try {
      // Its symbols have changed, and a formatter may have changed its text.
      const saved = await api.readFile(root, path)
      const here = of(root, path)
      if (!here) return
      // The user may have typed more during the request.
      put(root, path, { file: saved, saving: false, conflict: null, ...(here.unsaved === unsaved ? { unsaved: null } : {}) })
    } catch (error) {
      const here = of(root, path)
      if (!here) return
      // The file is saved; only its new state is unknown.
      const trouble = { text: errorText(error), again: true }
      put(root, path, { saving: false, conflict: null, trouble, ...(here.unsaved === unsaved ? { unsaved: null, file: null } : {}) })
    }
  }

  /** Applies a function to a file of the current folder. */
  const at = <T>(path: string, doIt: (root: string, here: Buffer | undefined) => T): T | undefined => {
    const { root } = get()
    return root === null ? undefined : doIt(root, of(root, path))
  }

  return {
    buffers: {},
    otherBuffers: {},

    readBuffer: async (path) =>
      at(path, async (root, here) => {
        if (here?.file) return
        put(root, path, { trouble: null })
        await reload(root, path)
      }),

    setUnsaved: (path, unsaved) =>
      at(path, (root, here) => {
        if (here && here.unsaved !== unsaved) put(root, path, { unsaved })
      }),

    save: async (path) =>
      at(path, async (root, here) => {
        if (here?.unsaved && !here.conflict) await send(root, path, here.file?.hash ?? null)
      }),

    keepMine: async (path) =>
      at(path, async (root, here) => {
        if (here?.conflict) await send(root, path, here.conflict.theirs?.hash ?? null)
      }),

    takeTheirs: (path) =>
      at(path, (root, here) => {
        if (!here?.conflict) return
        if (here.conflict.theirs) put(root, path, { file: here.conflict.theirs, unsaved: null, conflict: null })
        else get().closeTab(`file ${path}`)
      }),

    dropBuffer: (path) => set(({ buffers }) => ({ buffers: omit(buffers, path) })),

    refreshBuffers: async () => {
      const { root, buffers } = get()
      if (root !== null) await Promise.all(Object.keys(buffers).map((path) => reload(root, path)))
    },
  }
}
