import { isConflict, isMissing, sentence, errorText } from '@/api/http'
import type { MadeDeleted, MadeSource, McpLogLine, McpServerInfo, McpServerList, SandboxInfo } from '@/api/protocol.gen'
import { own } from '@/design/own'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import type { ServerEntry } from './paste'
import type { ServerServices } from './services'

/** The reason why a change of a server failed, or null. */
type Trouble = string | null

export interface ServerSlice {
  servers: McpServerInfo[] | null
  sandbox: SandboxInfo | null
  /** The deleted generated servers that can be restored. */
  deletedServers: MadeDeleted[]
  serversTrouble: Trouble
  /** The pending action of each server, by its name. */
  pendingActions: Record<string, 'approve' | 'start' | 'stop' | 'remove' | 'signIn' | 'signOut'>
  serverLog: { name: string; lines: McpLogLine[] | null; trouble: Trouble } | null
  serverSource: { name: string; source: MadeSource | null; trouble: Trouble } | null
  /** Earlier source texts of generated servers, by server and version. */
  versions: Record<string, string>

  refreshServers: () => Promise<void>
  /** Loads again what is shown after servers or their tools have changed. */
  serversChanged: () => void
  /** Adds servers one after the other; returns the error of the first that could not be added. */
  addServers: (entries: ServerEntry[]) => Promise<Trouble>
  approveServer: (name: string, seen: string, hosts?: string[]) => Promise<Trouble>
  startOrStopServer: (name: string, to: 'start' | 'stop') => Promise<void>
  removeServer: (server: McpServerInfo) => Promise<void>
  restoreServer: (name: string) => Promise<void>
  /** Restores an earlier version, which then needs approval. */
  restoreServerVersion: (name: string, version: string) => Promise<void>
  /** Returns the address of the sign-in page, or the reason why there is none. */
  signInAt: (name: string) => Promise<{ url: string } | { trouble: string }>
  signOutOf: (name: string) => Promise<void>
  readServerLog: (name: string) => Promise<void>
  readServerSource: (name: string) => Promise<void>
  readServerVersion: (name: string, id: string) => Promise<void>
}

export const versionKey = (name: string, id: string) => `${name} ${id}`

export const serverSlice = ({ api, notices, pages }: ServerServices): Slice<ServerSlice> => (set, get) => {
  const take = ({ servers, sandbox, deleted = [], trouble }: McpServerList) => set({ servers, sandbox, deletedServers: deleted, serversTrouble: trouble ? sentence(trouble) : null })
  // Responses may overtake each other; the one to the latest request is valid.
  let asked = 0
  let taken = 0
  const ask = async (work: () => Promise<McpServerList>) => {
    const number = ++asked
    const list = await work()
    if (number < taken) return
    taken = number
    take(list)
  }
  const steer = async (name: string, by: ServerSlice['pendingActions'][string], work: () => Promise<McpServerList | unknown>): Promise<Trouble> => {
    if (own(get().pendingActions, name)) return null
    set((state) => ({ pendingActions: { ...state.pendingActions, [name]: by } }))
    try {
      await work()
      return null
    } catch (error) {
      // The page is out of date: refresh it, so that the error is shown beside the current state.
      if (isMissing(error) || isConflict(error)) await get().refreshServers()
      return errorText(error)
    } finally {
      set((state) => ({ pendingActions: omit(state.pendingActions, name) }))
    }
  }

  return {
    servers: null,
    sandbox: null,
    deletedServers: [],
    serversTrouble: null,
    pendingActions: {},
    serverLog: null,
    serverSource: null,
    versions: {},

    refreshServers: async () => {
      try {
        await ask(api.listServers)
      } catch (error) {
        set({ serversTrouble: errorText(error) })
      }
    },

    serversChanged: () => {
      // A response that is on its way may have been created before this change.
      if (get().servers || asked > taken) void get().refreshServers()
      const open = get().serverSource
      if (open) void get().readServerSource(open.name)
    },

    addServers: async (entries) => {
      for (const entry of entries) {
        try {
          await ask(() => api.addServer(entry))
        } catch (error) {
          return entries.length > 1 ? `${entry.name}: ${errorText(error)}` : errorText(error)
        }
      }
      return null
    },

    approveServer: (name, seen, hosts) => steer(name, 'approve', () => ask(() => api.approveServer(name, { seen, ...(hosts ? { hosts } : {}) }))),

    startOrStopServer: async (name, to) => {
      const trouble = await steer(name, to, () => ask(() => api.serverAction(name, to)))
      if (trouble !== null) notices.notify({ tone: 'danger', text: trouble })
    },

    signInAt: async (name) => {
      let url = ''
      const trouble = await steer(name, 'signIn', async () => {
        url = (await api.beginSignIn(name)).url
      })
      return trouble === null ? { url } : { trouble }
    },

    signOutOf: async (name) => {
      const trouble = await steer(name, 'signOut', () => ask(() => api.signOut(name)))
      notices.notify(trouble === null ? { tone: 'plain', text: `You are signed out of ${name}.` } : { tone: 'danger', text: trouble })
    },

    removeServer: async ({ name, kind }) => {
      const about = `server ${name}`
      const trouble = await steer(name, 'remove', () => api.removeServer(name))
      if (trouble !== null) {
        notices.notify({ tone: 'danger', text: trouble })
        return
      }
      set((state) => ({ servers: state.servers?.filter((server) => server.name !== name) ?? null }))
      const route = pages.route()
      if (route.page === 'servers' && route.name === name) pages.go({ page: 'servers' }, 'replace')
      notices.withdraw(about)
      if (kind === 'configured') {
        notices.notify({ tone: 'plain', text: `${name} is removed.`, about })
        return
      }
      notices.notify({ tone: 'plain', text: `${name} is deleted, with what it stored.`, about, action: { label: 'Undo', run: () => void get().restoreServer(name) } })
      void get().refreshServers()
    },

    restoreServer: async (name) => {
      const trouble = await steer(name, 'remove', () => ask(() => api.serverAction(name, 'restore')))
      if (trouble !== null) notices.notify({ tone: 'danger', text: trouble })
    },

    restoreServerVersion: async (name, version) => {
      const trouble = await steer(name, 'approve', () => ask(() => api.restoreVersion(name, version)))
      if (trouble !== null) notices.notify({ tone: 'danger', text: trouble })
      else void get().readServerSource(name)
    },

    readServerLog: async (name) => {
      if (get().serverLog?.name !== name) set({ serverLog: { name, lines: null, trouble: null } })
      const put = (part: { lines: McpLogLine[] | null; trouble: Trouble }) => {
        if (get().serverLog?.name === name) set({ serverLog: { name, ...part } })
      }
      try {
        put({ lines: (await api.readServerLog(name)).lines, trouble: null })
      } catch (error) {
        put({ lines: get().serverLog?.lines ?? null, trouble: errorText(error) })
      }
    },

    readServerSource: async (name) => {
      if (get().serverSource?.name !== name) set({ serverSource: { name, source: null, trouble: null } })
      const put = (part: { source: MadeSource | null; trouble: Trouble }) => {
        if (get().serverSource?.name === name) set({ serverSource: { name, ...part } })
      }
      try {
        put({ source: await api.readSource(name), trouble: null })
      } catch (error) {
        put({ source: null, trouble: errorText(error) })
      }
    },

    readServerVersion: async (name, id) => {
      const key = versionKey(name, id)
      if (get().versions[key] !== undefined) return
      try {
        const { code } = await api.readVersion(name, id)
        set((state) => ({ versions: { ...state.versions, [key]: code } }))
      } catch (error) {
        notices.notify({ tone: 'danger', text: errorText(error) })
      }
    },
  }
}
