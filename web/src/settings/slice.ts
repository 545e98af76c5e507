import { actOnProcess, patchConfig, type ProcessAct, readConfig, readHealth, readProcesses } from '@/api/config'
import { errorText } from '@/api/http'
import type { ConfigReport, Health, ProcessInfo } from '@/api/protocol.gen'
import type { ModelsSlice } from '@/models/slice'
import type { Notices } from '@/shell/slice'
import type { Slice } from '@/store/slice'

/** The result of the last change of a setting. */
export type Saving = { state: 'saving' } | { state: 'saved' } | { state: 'failed'; message: string }

export interface SettingsSlice {
  config: ConfigReport | null
  /** The companion's name. */
  companionName: string
  /** True if the map may fetch detailed tiles online. */
  mapOnline: boolean
  configTrouble: string | null
  saving: Record<string, Saving>
  health: Health | null
  processes: ProcessInfo[]

  refreshConfig: () => Promise<void>
  /** Changes a setting; `null` resets it to its default. */
  changeConfig: (key: string, value: unknown) => Promise<void>
  refreshAbout: () => Promise<void>
  actOnProcess: (id: string, act: ProcessAct) => Promise<void>
}

/** The companion's name until the settings are loaded. */
const FIRST_NAME = 'Luna'

function accepted(config: ConfigReport): Pick<SettingsSlice, 'config' | 'companionName' | 'mapOnline' | 'configTrouble'> {
  const fields = config.sections.flatMap((section) => section.fields)
  const value = (wanted: string) => fields.find(({ key }) => key === wanted)?.value
  const name = value('companion.name')
  return { config, companionName: typeof name === 'string' && name !== '' ? name : FIRST_NAME, mapOnline: value('map.online') === true, configTrouble: null }
}

export const settingsSlice: Slice<SettingsSlice, Pick<ModelsSlice, 'refreshModels'> & Notices> = (set, get) => ({
  config: null,
  companionName: FIRST_NAME,
  mapOnline: false,
  configTrouble: null,
  saving: {},
  health: null,
  processes: [],

  refreshConfig: async () => {
    try {
      set(accepted(await readConfig()))
    } catch (error) {
      set({ configTrouble: errorText(error) })
    }
  },

  changeConfig: async (key, value) => {
    const mark = (saving: Saving) => set((state) => ({ saving: { ...state.saving, [key]: saving } }))
    mark({ state: 'saving' })
    try {
      set(accepted(await patchConfig({ [key]: value })))
      mark({ state: 'saved' })
      void get().refreshModels()
    } catch (error) {
      mark({ state: 'failed', message: errorText(error) })
    }
  },

  refreshAbout: async () => {
    const [health, processes] = await Promise.all([readHealth().catch(() => null), readProcesses().catch(() => [])])
    set({ health, processes })
  },

  actOnProcess: async (id, act) => {
    try {
      const changed = await actOnProcess(id, act)
      set((state) => ({ processes: state.processes.map((process) => (process.id === id ? changed : process)) }))
    } catch (error) {
      get().notify({ tone: 'danger', text: errorText(error) })
    }
  },
})
