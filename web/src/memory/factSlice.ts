import { isMissing, errorText } from '@/api/http'
import type { FactFilter } from '@/api/memory'
import type { CategoryCount, Fact, FactHistory, FactId, FactPatch, NewFactRequest } from '@/api/protocol.gen'
import { omit } from '@/store/omit'
import type { Slice } from '@/store/slice'
import type { MemoryDraftSlice } from './draftSlice'
import { factKey } from './drafts'
import type { MemoryServices } from './services'
import { changes, patched, groupOf } from './factChanges'

const PAGE = 100
/** The maximum number of facts that a refresh of the list loads. */
const MOST_AT_ONCE = 500

/** The tolerated difference between the clocks of browser and server. */
const CLOCKS_MS = 60_000

const KNEW = 'She knew that already.'
const REMEMBERS = 'She will remember that.'

export const ALL_FACTS: FactFilter = { q: '', category: '', status: 'current' }

/** The facts: their list and the actions on them. */
export interface FactSlice {
  facts: {
    filter: FactFilter
    list: Fact[]
    next: string | null
    categories: CategoryCount[]
    unconfirmed: number
    total: number
    state: 'idle' | 'loading' | 'ready' | 'failed'
    trouble: string | null
  }
  /** The row that is open for editing. */
  openedFact: FactId | null
  /**
   * The facts selected for merging, up to date and in order of selection. The selection survives a new
   * search, but not leaving the page.
   */
  chosenFacts: Fact[]
  /** The reason why a change failed, by fact. The change itself is kept as a draft. */
  factTrouble: Record<FactId, string>
  histories: Record<FactId, { history: FactHistory | null; trouble: string | null }>
  /** The fact in the URL, shown on a page of its own. */
  fact: { id: FactId; fact: Fact | null; trouble: string | null; gone: boolean } | null

  openFacts: (filter?: Partial<FactFilter>) => Promise<void>
  moreFacts: () => Promise<void>
  retryFacts: () => Promise<void>
  /** Reloads what is shown, without a loading state. */
  refreshFacts: () => Promise<void>
  openFact: (id: FactId | null) => void
  /** Discards an unsaved or failed change. */
  dropFactChange: (id: FactId) => void
  openFactPage: (id: FactId) => Promise<void>
  chooseFact: (fact: Fact, chosen: boolean) => void
  clearChosen: () => void
  addFact: (request: NewFactRequest) => Promise<string | null>
  /** Adds a fact from a command and notifies the user of the result. */
  rememberThis: (content: string) => Promise<void>
  changeFact: (id: FactId, patch: FactPatch) => Promise<void>
  mergeFacts: (ids: FactId[], content: string) => Promise<string | null>
  undoFact: (id: FactId) => Promise<void>
  readHistory: (id: FactId) => Promise<void>
  /** Removes a fact that no longer exists from the state. */
  factGone: (id: FactId) => void
}

export const factSlice = ({ api, notices, pages }: MemoryServices): Slice<FactSlice, Pick<MemoryDraftSlice, 'keepDraft' | 'dropDraft'>> => (set, get) => {
  let reading = new AbortController()
  let wanted: string | null = null

  const read = async (cursor: string | null, limit: number, quiet = false) => {
    wanted = cursor
    reading.abort()
    reading = new AbortController()
    const { signal } = reading
    if (!quiet) set((state) => ({ facts: { ...state.facts, state: 'loading', trouble: null } }))
    try {
      const page = await api.listFacts(get().facts.filter, cursor, limit, signal)
      if (signal.aborted) return
      const { facts: fresh, ...counts } = page
      set(({ facts, chosenFacts }) => ({
        facts: { ...facts, ...counts, list: cursor === null ? fresh : joined(facts.list, fresh), state: 'ready', trouble: null },
        chosenFacts: refreshed(chosenFacts, fresh),
      }))
    } catch (error) {
      if (!signal.aborted && !quiet) set((state) => ({ facts: { ...state.facts, state: 'failed', trouble: errorText(error) } }))
    }
  }

  /** Updates a fact wherever it is shown, or removes it from a list to which it no longer belongs. */
  const put = (fact: Fact) =>
    set(({ facts, fact: looked, chosenFacts }) => ({
      chosenFacts: refreshed(chosenFacts, [fact]),
      facts: { ...facts, list: groupOf(fact) === facts.filter.status ? replaced(facts.list, fact) : without(facts.list, fact.id) },
      ...(looked?.id === fact.id ? { fact: { ...looked, fact } } : {}),
    }))

  const known = (id: FactId) => get().facts.list.find((fact) => fact.id === id) ?? (get().fact?.id === id ? get().fact?.fact : null) ?? null

  const offerUndo = (id: FactId, text: string) =>
    notices.notify({ tone: 'plain', text, action: { label: 'Undo', run: () => void get().undoFact(id) }, about: factKey(id) })

  const add = async (request: NewFactRequest) => {
    const had = new Set(get().facts.list.map(({ id }) => id))
    const asked = Date.now()
    const fact = await api.addFact(request)
    const knew = had.has(fact.id) || isOlder(fact, asked)
    notices.withdraw(factKey(fact.id))
    put(fact)
    if (!knew) set(({ facts }) => ({ facts: { ...facts, total: facts.total + 1 } }))
    return { fact, knew }
  }

  const lookAt = (id: FactId) => ({ label: 'Show it', run: () => pages.go({ page: 'memory', tab: 'facts', item: id }) })

  return {
    facts: { filter: ALL_FACTS, list: [], next: null, categories: [], unconfirmed: 0, total: 0, state: 'idle', trouble: null },
    openedFact: null,
    chosenFacts: [],
    factTrouble: {},
    histories: {},
    fact: null,

    openFacts: async (filter = {}) => {
      const before = get().facts
      const asked = { ...before.filter, ...filter }
      const same = before.filter.q === asked.q && before.filter.category === asked.category && before.filter.status === asked.status
      set({ facts: { ...before, filter: asked, ...(same ? {} : { list: [], next: null }) }, ...(same ? {} : { openedFact: null }) })
      await read(null, same ? asFar(before.list) : PAGE, same && before.state === 'ready')
    },
    moreFacts: async () => {
      const { next, state } = get().facts
      if (next !== null && state === 'ready') await read(next, PAGE)
    },
    retryFacts: () => read(wanted, PAGE),
    refreshFacts: async () => {
      if (get().facts.state !== 'idle') await read(null, asFar(get().facts.list), true)
      const { openedFact, fact } = get()
      const shown = fact?.id ?? openedFact
      if (fact) void get().openFactPage(fact.id)
      if (shown && get().histories[shown]) void get().readHistory(shown)
    },

    openFact: (id) => set({ openedFact: id }),
    dropFactChange: (id) => {
      set((state) => ({ factTrouble: omit(state.factTrouble, id) }))
      get().dropDraft(factKey(id))
    },
    openFactPage: async (id) => {
      if (get().fact?.id !== id) set({ fact: { id, fact: get().facts.list.find((fact) => fact.id === id) ?? null, trouble: null, gone: false } })
      const settle = (outcome: Partial<NonNullable<FactSlice['fact']>>) => {
        const { fact } = get()
        if (fact?.id === id) set({ fact: { ...fact, trouble: null, gone: false, ...outcome } })
      }
      try {
        settle({ fact: await api.readFact(id) })
      } catch (error) {
        settle(isMissing(error) ? { fact: null, gone: true, trouble: errorText(error) } : { trouble: errorText(error) })
      }
    },
    chooseFact: (fact, chosen) => set(({ chosenFacts }) => ({ chosenFacts: chosen ? [...without(chosenFacts, fact.id), fact] : without(chosenFacts, fact.id) })),
    clearChosen: () => set({ chosenFacts: [] }),

    addFact: async (request) => {
      try {
        const { fact, knew } = await add(request)
        if (knew) notices.notify({ tone: 'plain', text: KNEW, action: lookAt(fact.id) })
        return null
      } catch (error) {
        return errorText(error)
      }
    },
    rememberThis: async (content) => {
      try {
        const { fact, knew } = await add({ content, private: false })
        notices.notify({ tone: 'plain', text: knew ? KNEW : REMEMBERS, action: lookAt(fact.id) })
      } catch (error) {
        notices.notify({ tone: 'danger', text: errorText(error) })
      }
    },
    changeFact: async (id, patch) => {
      const before = known(id)
      if (!before) return
      notices.withdraw(factKey(id))
      set((state) => ({ factTrouble: omit(state.factTrouble, id) }))
      const { list, unconfirmed } = get().facts
      put(patched(before, patch))
      if (before.status === 'unconfirmed' && patch.confirmed !== undefined) set(({ facts }) => ({ facts: { ...facts, unconfirmed: Math.max(0, facts.unconfirmed - 1) } }))
      try {
        put(await api.patchFact(id, patch))
        if (get().histories[id]) void get().readHistory(id)
        offerUndo(id, patch.confirmed === undefined ? 'Changed.' : patch.confirmed ? REMEMBERS : 'She will not keep that.')
      } catch (error) {
        if (isMissing(error)) get().factGone(id)
        else {
          put(before)
          // A fact that had left the list returns to its previous position.
          set(({ facts }) => ({ facts: { ...facts, list: facts.list.some((fact) => fact.id === id) ? inPlace(facts.list, before, list) : facts.list, unconfirmed } }))
          const meant = changes(before, patch)
          if (Object.keys(meant).length > 0) get().keepDraft(factKey(id), meant)
        }
        set((state) => ({ factTrouble: { ...state.factTrouble, [id]: errorText(error) } }))
        if (isMissing(error)) notices.notify({ tone: 'danger', text: errorText(error) })
      }
    },
    mergeFacts: async (ids, content) => {
      for (const id of ids) notices.withdraw(factKey(id))
      try {
        const fact = await api.mergeFacts({ ids, content })
        set(({ facts }) => ({ chosenFacts: [], facts: { ...facts, list: facts.list.filter((other) => other.id === fact.id || !ids.includes(other.id)) } }))
        put(fact)
        for (const id of ids) if (id !== fact.id) get().dropFactChange(id)
        offerUndo(fact.id, `${ids.length} facts merged into one.`)
        return null
      } catch (error) {
        return errorText(error)
      }
    },
    undoFact: async (id) => {
      notices.withdraw(factKey(id))
      try {
        put(await api.undoFact(id))
        set((state) => ({ factTrouble: omit(state.factTrouble, id) }))
        if (get().histories[id]) void get().readHistory(id)
        // An undo may restore other facts as well.
        await get().refreshFacts()
      } catch (error) {
        notices.notify({ tone: 'danger', text: errorText(error) })
      }
    },
    readHistory: async (id) => {
      const settle = (history: FactHistory | null, trouble: string | null) => set((state) => ({ histories: { ...state.histories, [id]: { history, trouble } } }))
      try {
        settle(await api.factHistory(id), null)
      } catch (error) {
        settle(get().histories[id]?.history ?? null, errorText(error))
      }
    },
    factGone: (id) => {
      get().dropFactChange(id)
      notices.withdraw(factKey(id))
      set((state) => ({
        facts: { ...state.facts, list: without(state.facts.list, id), total: Math.max(0, state.facts.total - (state.facts.list.some((fact) => fact.id === id) ? 1 : 0)) },
        openedFact: state.openedFact === id ? null : state.openedFact,
        chosenFacts: without(state.chosenFacts, id),
        histories: omit(state.histories, id),
        ...(state.fact?.id === id ? { fact: { id, fact: null, trouble: 'She has forgotten this.', gone: true } } : {}),
      }))
    },
  }
}

function asFar(list: Fact[]): number {
  return Math.min(MOST_AT_ONCE, Math.max(PAGE, list.length))
}

/**
 * Returns true if the fact existed before the request to add it: the server's reply is the same in both
 * cases.
 */
function isOlder({ createdAt, updatedAt }: Fact, asked: number): boolean {
  return createdAt !== updatedAt || Date.parse(createdAt) < asked - CLOCKS_MS
}

/** Returns the list with its facts updated to their latest versions. */
function refreshed(list: Fact[], latest: Fact[]): Fact[] {
  return list.map((fact) => latest.find(({ id }) => id === fact.id) ?? fact)
}

function without(list: Fact[], id: FactId): Fact[] {
  return list.filter((fact) => fact.id !== id)
}

/** Replaces the fact in the list, or puts a new one first. */
function replaced(list: Fact[], fact: Fact): Fact[] {
  return list.some(({ id }) => id === fact.id) ? list.map((other) => (other.id === fact.id ? fact : other)) : [fact, ...list]
}

/** Inserts the fact between its previous neighbours. */
function inPlace(list: Fact[], fact: Fact, before: Fact[]): Fact[] {
  const rest = without(list, fact.id)
  const earlier = new Set(before.slice(0, before.findIndex(({ id }) => id === fact.id)).map(({ id }) => id))
  const at = rest.findLastIndex(({ id }) => earlier.has(id)) + 1
  return rest.toSpliced(at, 0, fact)
}

/** Appends a page without the facts that are already in the list. */
function joined(list: Fact[], page: Fact[]): Fact[] {
  const have = new Set(list.map(({ id }) => id))
  return [...list, ...page.filter(({ id }) => !have.has(id))]
}
