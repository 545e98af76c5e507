import { isMissing, errorText } from '@/api/http'
import type { MemoryFile, MemoryFileView } from '@/api/protocol.gen'
import type { Slice } from '@/store/slice'
import type { MemoryDraftSlice } from './draftSlice'
import { fileKey } from './drafts'
import type { MemoryServices } from './services'

/** The memory files, each with its history. */
export interface MemoryFileSlice {
  memoryFiles: MemoryFile[] | null
  memoryFilesTrouble: string | null
  /** The open file. */
  memoryFile: { name: string; view: MemoryFileView | null; trouble: string | null; gone: boolean } | null

  refreshFiles: () => Promise<void>
  openMemoryFile: (name: string) => Promise<void>
  /** Writes a file. Returns the reason if this failed. */
  writeMemoryFile: (name: string, content: string) => Promise<string | null>
  restoreMemoryFile: (name: string, change: string) => Promise<void>
  deleteMemoryFile: (name: string) => Promise<void>
}

export const memoryFileSlice = ({ api, notices, pages }: MemoryServices): Slice<MemoryFileSlice, Pick<MemoryDraftSlice, 'dropDraft'>> => (set, get) => {
  const accept = (name: string, view: MemoryFileView) => {
    if (get().memoryFile?.name === name) set({ memoryFile: { name, view, trouble: null, gone: false } })
    set(({ memoryFiles }) => ({ memoryFiles: memoryFiles && [...memoryFiles.filter((file) => file.name !== name), view.file].sort((a, b) => a.name.localeCompare(b.name, 'en')) }))
  }

  return {
    memoryFiles: null,
    memoryFilesTrouble: null,
    memoryFile: null,

    refreshFiles: async () => {
      const { memoryFile } = get()
      if (memoryFile) void get().openMemoryFile(memoryFile.name)
      try {
        const { files } = await api.listMemoryFiles()
        set({ memoryFiles: files, memoryFilesTrouble: null })
      } catch (error) {
        set({ memoryFilesTrouble: errorText(error) })
      }
    },

    openMemoryFile: async (name) => {
      if (get().memoryFile?.name !== name) set({ memoryFile: { name, view: null, trouble: null, gone: false } })
      try {
        const view = await api.readMemoryFile(name)
        if (get().memoryFile?.name === name) accept(name, view)
      } catch (error) {
        const { memoryFile } = get()
        if (memoryFile?.name === name) set({ memoryFile: { ...memoryFile, trouble: errorText(error), gone: isMissing(error) } })
      }
    },

    writeMemoryFile: async (name, content) => {
      notices.withdraw(fileKey(name))
      try {
        accept(name, await api.writeMemoryFile(name, content))
        return null
      } catch (error) {
        return errorText(error)
      }
    },

    restoreMemoryFile: async (name, change) => {
      const before = get().memoryFile?.view?.history[0]?.id
      notices.withdraw(fileKey(name))
      try {
        accept(name, await api.restoreMemoryFile(name, change))
        const undo = { label: 'Undo', run: () => void get().restoreMemoryFile(name, before ?? '') }
        notices.notify({ tone: 'plain', text: 'The earlier version is restored.', about: fileKey(name), ...(before && before !== change ? { action: undo } : {}) })
      } catch (error) {
        notices.notify({ tone: 'danger', text: errorText(error) })
      }
    },

    deleteMemoryFile: async (name) => {
      const view = get().memoryFile?.name === name ? get().memoryFile?.view : null
      // Restoring the latest change with content brings the file back together with its metadata.
      const before = view?.history.find(({ content }) => content !== null)?.id
      try {
        notices.withdraw(fileKey(name))
        await api.deleteMemoryFile(name)
        get().dropDraft(fileKey(name))
        set(({ memoryFiles }) => ({ memoryFiles: memoryFiles?.filter((file) => file.name !== name) ?? null, memoryFile: null }))
        pages.go({ page: 'memory', tab: 'files' })
        const bringBack = async () => {
          try {
            accept(name, await (before ? api.restoreMemoryFile(name, before) : api.writeMemoryFile(name, view?.content ?? '')))
          } catch (error) {
            notices.notify({ tone: 'danger', text: errorText(error) })
          }
        }
        notices.notify({ tone: 'plain', text: `Deleted “${name}”.`, about: fileKey(name), ...(view ? { action: { label: 'Undo', run: () => void bringBack() } } : {}) })
      } catch (error) {
        notices.notify({ tone: 'danger', text: errorText(error) })
      }
    },
  }
}
