import type { ProposalStep } from '@/api/code'
import { errorText } from '@/api/http'
import type { Proposal, ProposalId } from '@/api/protocol.gen'
import { plural } from '@/design/format'
import { own } from '@/design/own'
import type { Route } from '@/shell/route'
import { omit } from '@/store/omit'
import { allChanges, allOrNone, applyRequest, type Change, type Edits, withChoice } from './choices'
import { acceptedFiles } from './decisions'
import { asWritten, newText } from './hunks'
import type { CodeSliceOf, CodeState, Review, ReviewSlice } from './state'

const UNREAD: Review = { proposal: null, trouble: null, choices: {}, edits: {}, at: null, busy: null, refusal: null }

/** Returns the proposal that waits for review: the newest open one. */
export function openProposal(proposals: Proposal[] | null): Proposal | null {
  return proposals?.find(({ status }) => status === 'open') ?? null
}

/** Returns a proposal if it is known without a request. */
export function knownProposal({ proposals, reviews }: Pick<CodeState, 'proposals' | 'reviews'>, id: ProposalId): Proposal | null {
  return proposals?.find((known) => known.id === id) ?? own(reviews, id)?.proposal ?? null
}

/** Returns the edits whose hunks are unchanged. */
function validEdits(before: Review | undefined, proposal: Proposal): Edits {
  if (!before?.proposal || Object.keys(before.edits).length === 0) return {}
  const shown = (of: Proposal) => new Map(allChanges(of).map(({ key, hunk }) => [key, JSON.stringify(hunk)]))
  const [old, fresh] = [shown(before.proposal), shown(proposal)]
  return Object.fromEntries(Object.entries(before.edits).filter(([key]) => fresh.has(key) && fresh.get(key) === old.get(key)))
}

/** Returns true if the review is on the screen, so that its result is visible there. */
function isOnScreen({ tab }: Pick<CodeState, 'tab'>, route: Route, id: ProposalId): boolean {
  return tab === `review ${id}` && route.page === 'code' && route.view !== 'agent' && route.view !== 'terminal' && route.view !== 'files'
}

const DONE: Record<ProposalStep, (proposal: Proposal) => string> = {
  reject: ({ title }) => `“${title}” was rejected. No file was changed.`,
  undo: ({ files }) => `${plural(acceptedFiles(files).length, 'file')} restored.`,
  redo: ({ files }) => `${plural(acceptedFiles(files).length, 'file')} changed again.`,
  rebase: () => 'It is up to date.',
}

export const reviewSlice: CodeSliceOf<ReviewSlice> = ({ api, notices, pages }) => (set, get) => {
  const of = (id: ProposalId) => own(get().reviews, id)
  const put = (id: ProposalId, change: Partial<Review>) => set(({ reviews }) => ({ reviews: { ...reviews, [id]: { ...(own(reviews, id) ?? UNREAD), ...change } } }))

  /**
   * Stores the server's version. Choices on changes that still exist are kept while it is open; afterwards
   * the server's decisions apply.
   */
  const take = (proposal: Proposal) => {
    const changes = new Set(allChanges(proposal).map(({ key }) => key))
    const here = of(proposal.id)
    const open = proposal.status === 'open'
    const meant = open ? Object.entries(here?.choices ?? {}).filter(([key]) => changes.has(key)) : []
    const at = here?.at && changes.has(here.at) ? here.at : (allChanges(proposal)[0]?.key ?? null)
    put(proposal.id, { proposal, trouble: null, at, choices: Object.fromEntries(meant), edits: open ? validEdits(here, proposal) : {} })
    set(({ proposals }) => ({ proposals: proposals?.map((known) => (known.id === proposal.id ? proposal : known)) ?? null }))
  }

  const read = async (id: ProposalId) => {
    try {
      take(await api.readProposal(id))
    } catch (error) {
      put(id, { trouble: errorText(error) })
    }
  }

  /** Runs a step on a proposal, and reports the result. */
  const work = async (id: ProposalId, busy: Exclude<Review['busy'], null>, doIt: () => Promise<Proposal>, report: (proposal: Proposal) => void) => {
    if (of(id)?.busy) return
    put(id, { busy, refusal: null })
    try {
      const proposal = await doIt()
      // A rebase creates new hunks, to which the old choices do not apply.
      if (busy === 'rebase') put(id, { choices: {}, edits: {} })
      take(proposal)
      notices.withdraw(`proposal ${id}`)
      report(proposal)
      void get().refreshProposals()
      void get().refreshBuffers()
    } catch (error) {
      if (isOnScreen(get(), pages.route(), id)) put(id, { refusal: errorText(error) })
      else notices.notify({ tone: 'danger', text: errorText(error) })
      await read(id)
    } finally {
      put(id, { busy: null })
    }
  }

  let listing: Promise<void> | null = null

  const changesAt = (id: ProposalId): Change[] => {
    const proposal = of(id)?.proposal
    return proposal ? allChanges(proposal) : []
  }

  return {
    proposals: null,
    reviews: {},

    refreshProposals: async () => {
      const { root } = get()
      if (root === null) return
      const list = await api.listProposals(root).catch(() => null)
      if (list && get().root === root) set({ proposals: list.proposals })
    },

    knowProposal: async (id) => {
      if (knownProposal(get(), id)) return
      // Many may be requested at once, and one list has them all.
      listing ??= get()
        .refreshProposals()
        .finally(() => (listing = null))
      await listing
      if (!knownProposal(get(), id)) await get().openReview(id)
    },

    openReview: async (id) => {
      if (!of(id)) put(id, {})
      await read(id)
    },

    refreshReviews: async () => {
      const idle = Object.entries(get().reviews).filter(([, { busy }]) => busy === null)
      await Promise.all(idle.map(([id]) => read(id)))
    },

    goToChange: (id, key) => put(id, { at: key }),

    stepChange: (id, by) => {
      const changes = changesAt(id)
      const at = changes.findIndex(({ key }) => key === of(id)?.at)
      const next = changes[at < 0 ? 0 : at + by]
      if (next) put(id, { at: next.key })
    },

    decide: (id, key, answer) => {
      const changes = changesAt(id)
      const change = changes.find((known) => known.key === key)
      if (!change || of(id)?.proposal?.status !== 'open') return
      const next = changes[changes.indexOf(change) + 1]
      put(id, { choices: withChoice(of(id)?.choices ?? {}, [change], answer), at: next?.key ?? key })
    },

    rewrite: (id, key, text) => {
      const review = of(id)
      const change = changesAt(id).find((known) => known.key === key)
      if (!review || !change?.hunk || review.proposal?.status !== 'open') return
      const same = text === null || text === newText(change.hunk)
      const edits = same ? omit(review.edits, key) : { ...review.edits, [key]: asWritten(change.hunk, text) }
      put(id, { edits, at: key, choices: same ? review.choices : withChoice(review.choices, [change], 'yes') })
    },

    decideFile: (id, path) => {
      const proposal = of(id)?.proposal
      const file = proposal?.files.find((known) => known.path === path)
      if (file && proposal?.status === 'open') put(id, { choices: allOrNone(of(id)?.choices ?? {}, file) })
    },

    apply: async (id) => {
      const review = of(id)
      if (!review?.proposal || review.proposal.status !== 'open' || review.proposal.stale.length > 0) return
      const request = applyRequest(review.proposal, review.choices, review.edits)
      if (!request) return
      await work(id, 'apply', () => api.applyProposal(id, request), (proposal) => {
        if (proposal.status !== 'applied' || isOnScreen(get(), pages.route(), id)) return
        const back = proposal.canUndo ? { action: { label: 'Undo', run: () => void get().stepReview(id, 'undo') } } : {}
        notices.notify({ tone: 'plain', text: `${plural(acceptedFiles(proposal.files).length, 'file')} changed.`, about: `proposal ${id}`, ...back })
      })
    },

    stepReview: async (id, step) => {
      if (!of(id)) put(id, {})
      await work(id, step, () => api.stepProposal(id, step), (proposal) => {
        if (isOnScreen(get(), pages.route(), id)) return
        const back = step === 'undo' && proposal.canRedo ? 'redo' : step === 'redo' && proposal.canUndo ? 'undo' : null
        const action = back && { label: back === 'redo' ? 'Redo' : 'Undo', run: () => void get().stepReview(id, back) }
        notices.notify({ tone: 'plain', text: DONE[step](proposal), about: `proposal ${id}`, ...(action ? { action } : {}) })
      })
    },
  }
}
