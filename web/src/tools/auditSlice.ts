import { errorText } from '@/api/http'
import type { AuditEntry } from '@/api/protocol.gen'
import { type AuditFilter, readAudit } from '@/api/tools'
import type { Slice } from '@/store/slice'

const PAGE = 50

export const NO_FILTER: AuditFilter = { tool: '', decision: '', q: '' }

/** The list of all tool calls, including those that were stopped. */
export interface AuditSlice {
  audit: {
    filter: AuditFilter
    entries: AuditEntry[]
    next: string | null
    state: 'idle' | 'loading' | 'ready' | 'failed'
    trouble: string | null
  }
  /** Loads the newest entries, with another filter if one is given. */
  openAudit: (filter?: Partial<AuditFilter>) => Promise<void>
  olderAudit: () => Promise<void>
  /** Repeats the last request, for the newest or for older entries. */
  retryAudit: () => Promise<void>
}

export const auditSlice: Slice<AuditSlice> = (set, get) => {
  let reading = new AbortController()
  let wanted: string | null = null
  const read = async (cursor: string | null) => {
    wanted = cursor
    reading.abort()
    reading = new AbortController()
    const { signal } = reading
    set((state) => ({ audit: { ...state.audit, state: 'loading', trouble: null } }))
    try {
      const page = await readAudit(get().audit.filter, cursor, PAGE, signal)
      if (signal.aborted) return
      set(({ audit }) => ({
        audit: { ...audit, entries: cursor === null ? page.entries : [...audit.entries, ...page.entries], next: page.next, state: 'ready' },
      }))
    } catch (error) {
      if (!signal.aborted) set((state) => ({ audit: { ...state.audit, state: 'failed', trouble: errorText(error) } }))
    }
  }
  return {
    audit: { filter: NO_FILTER, entries: [], next: null, state: 'idle', trouble: null },
    openAudit: async (filter = {}) => {
      const before = get().audit
      const asked = { ...before.filter, ...filter }
      const same = Object.keys(filter).every((key) => before.filter[key as keyof AuditFilter] === asked[key as keyof AuditFilter])
      set({ audit: { ...before, filter: asked, ...(same ? {} : { entries: [], next: null }) } })
      await read(null)
    },
    olderAudit: async () => {
      const { next, state } = get().audit
      if (next !== null && state !== 'loading') await read(next)
    },
    retryAudit: () => read(wanted),
  }
}
