import { errorText } from '@/api/http'
import { cancelPull, detectServers, pullModel, readModels, removeModel, useModel } from '@/api/models'
import type { Download, ModelsReport, ModelState, PullRequest } from '@/api/protocol.gen'
import { storedValue, storeValue } from '@/shell/storage'
import type { Slice } from '@/store/slice'
import { betterModel } from './wording'

const WELCOMED = 'welcomed'

export interface ModelsSlice {
  models: ModelsReport | null
  modelsTrouble: string | null
  detecting: boolean
  /** The name of the model that was just chosen, until the server reports the result. */
  chosenModel: string | null
  /**
   * True if there is no model, or only a trial one, and the user has not yet dismissed the page that says so.
   */
  welcoming: boolean
  welcomePassed: boolean

  refreshModels: () => Promise<void>
  skipWelcome: () => void
  detectServers: () => Promise<void>
  /** Returns true if the download has started or was already running. */
  pullModel: (request: PullRequest) => Promise<boolean>
  cancelPull: (name: string) => Promise<void>
  deleteModel: (name: string) => Promise<void>
  chooseModel: (name: string) => Promise<void>
  downloadChanged: (download: Download) => void
  modelChanged: (current: ModelState) => void
}

export const modelsSlice: Slice<ModelsSlice> = (set, get) => {
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    set({ modelsTrouble: null })
    try {
      await work()
      return true
    } catch (error) {
      set({ modelsTrouble: errorText(error), chosenModel: null })
      return false
    }
  }
  /** The origins of models that are not in the catalogue, so that an interrupted download can resume. */
  const origins = new Map<string, string>()
  const known = (name: string) => get().models?.downloads.find((download) => download.name === name)
  const putDownload = (download: Download) => {
    const { models } = get()
    if (!models) return
    const others = models.downloads.filter((other) => other.name !== download.name)
    set({ models: { ...models, downloads: [...others, download] } })
  }

  const accept = (models: ModelsReport) => {
    const { state } = models.current
    const missing = state === 'none' || (betterModel(models) !== null && storedValue(WELCOMED) === null)
    set((before) => ({ models, welcoming: !before.welcomePassed && (missing || (before.welcoming && state !== 'ready')) }))
  }

  return {
    models: null,
    modelsTrouble: null,
    detecting: false,
    chosenModel: null,
    welcoming: false,
    welcomePassed: false,

    refreshModels: async () => void (await attempt(async () => accept(await readModels()))),

    skipWelcome: () => {
      // With a trial model, the page need not appear again with every new chat. Without any model, it does.
      if (get().models?.trial) storeValue(WELCOMED, 'yes')
      set({ welcoming: false, welcomePassed: true })
    },

    detectServers: async () => {
      set({ detecting: true })
      await attempt(async () => {
        const servers = await detectServers()
        const { models } = get()
        if (models) set({ models: { ...models, servers } })
      })
      set({ detecting: false })
    },

    pullModel: async (request) => {
      // A model of the catalogue is shown at once. The server names those from a file or an address.
      const named = get().models?.catalogue.some(({ name }) => name === request.name) ?? false
      if (named) putDownload(waiting(request.name))
      const before = get().models?.downloads ?? []
      return attempt(async () => {
        try {
          const name = origins.get(request.name) ?? request.name
          const begun = await pullModel({ ...request, name })
          if (begun.name !== name) origins.set(begun.name, name)
          // Progress events may arrive before this response and are more recent.
          const unmoved = known(begun.name) === before.find(({ name }) => name === begun.name)
          if (unmoved) putDownload(begun)
        } catch (error) {
          if (!named) throw error
          putDownload({ ...waiting(request.name), state: 'failed', message: errorText(error) })
        }
      })
    },

    cancelPull: async (name) => void (await attempt(() => cancelPull(name))),

    deleteModel: async (name) => {
      await attempt(async () => {
        await removeModel(name)
        accept(await readModels())
      })
    },

    chooseModel: async (name) => {
      set({ chosenModel: name })
      await attempt(async () => {
        await useModel(name)
        accept(await readModels())
        set({ chosenModel: null })
      })
    },

    downloadChanged: (download) => {
      putDownload(download)
      if (download.state === 'done') void get().refreshModels()
    },

    modelChanged: (current) => {
      const { models } = get()
      if (models) accept({ ...models, current })
      set({ chosenModel: null })
      // Only the report says whether it is a trial model.
      void get().refreshModels()
    },
  }
}

function waiting(name: string): Download {
  return { name, state: 'waiting', received: 0, total: 0, bytesPerSecond: 0, secondsLeft: null, source: null, message: '' }
}
