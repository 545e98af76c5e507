import type { ConversationId, ProposalId } from '@/api/protocol.gen'
import { own } from '@/design/own'
import { type Stage, withStage } from './runs'
import type { CodeStateSlice } from './store'
import { begin, type Work } from './work'

/** Building and testing, as it goes on or ended. */
export interface Check {
  running: boolean
  stages: Stage[]
  trouble: string | null
  /** How it went, in a sentence. */
  summary: string
  /** The command of the terminal that was the last before it; 0 where there was none. */
  after: number
  /** Where it asks. */
  chat: ConversationId | null
}

const NO_CHECK: Check = { running: true, stages: [], trouble: null, summary: '', after: 0, chat: null }

/** The files as they are, without any proposal. */
export const AS_IS = ''

export interface VerifySlice {
  /** By the proposal that is tried, or for the files as they are. */
  checks: Record<ProposalId, Check>

  verify: (proposal: ProposalId | typeof AS_IS) => Promise<void>
  stopVerify: (proposal: ProposalId | typeof AS_IS) => void
}

export const verifySlice: CodeStateSlice<VerifySlice> = (set, get) => {
  const works = new Map<string, Work>()
  const put = (id: string, change: (check: Check) => Partial<Check>) =>
    set(({ checks }) => {
      const before = own(checks, id) ?? NO_CHECK
      return { checks: { ...checks, [id]: { ...before, ...change(before) } } }
    })

  return {
    checks: {},

    verify: async (id) => {
      if (own(get().checks, id)?.running) return
      // A proposal is tried where it would land.
      const root = own(get().reviews, id)?.proposal?.root ?? get().root
      put(id, () => ({ ...NO_CHECK, after: get().commands.at(-1)?.id ?? 0 }))
      const work = begin(
        { kind: 'work', door: 'verify', request: { ...(root === null ? {} : { root }), ...(id === AS_IS ? {} : { proposalId: id }) } },
        {
          event: (event) => {
            if (event.type === 'verify') put(id, ({ stages }) => ({ stages: withStage(stages, event) }))
            if (event.type === 'token') put(id, ({ summary }) => ({ summary: summary + event.content }))
            if (event.type === 'error') put(id, () => ({ trouble: event.message }))
          },
          begun: (chat) => put(id, () => ({ chat })),
          failed: (trouble) => put(id, () => ({ trouble })),
        },
      )
      works.set(id, work)
      await work.done
      works.delete(id)
      put(id, () => ({ running: false }))
      // The report in a sentence is with the proposal.
      if (id !== AS_IS) await get().openReview(id)
    },

    stopVerify: (id) => works.get(id)?.stop(),
  }
}
