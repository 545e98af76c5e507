import type { ConversationId, ProposalId } from '@/api/protocol.gen'
import { own } from '@/design/own'
import { type Stage, withStage } from './runs'
import type { CodeStateSlice } from './store'
import { begin, type Work } from './work'

/** A run of building and testing, in progress or finished. */
export interface Check {
  running: boolean
  stages: Stage[]
  trouble: string | null
  /** The result in one sentence. */
  summary: string
  /** The id of the last terminal command before it, or 0 if there was none. */
  after: number
  /** The conversation of its confirmation requests. */
  chat: ConversationId | null
}

const NO_CHECK: Check = { running: true, stages: [], trouble: null, summary: '', after: 0, chat: null }

/** The key of the check without any proposal, on the files as they are. */
export const AS_IS = ''

export interface VerifySlice {
  /** The checks by proposal, with `AS_IS` for the files as they are. */
  checks: Record<ProposalId, Check>

  verify: (proposal: ProposalId | typeof AS_IS) => Promise<void>
  stopVerify: (proposal: ProposalId | typeof AS_IS) => void
}

const workKey = (root: string | null, id: string) => `${root ?? ''} ${id}`

export const verifySlice: CodeStateSlice<VerifySlice> = (set, get) => {
  const works = new Map<string, Work>()
  const update = (id: string, change: (check: Check) => Partial<Check>) =>
    set(({ checks }) => {
      const before = own(checks, id) ?? NO_CHECK
      return { checks: { ...checks, [id]: { ...before, ...change(before) } } }
    })

  return {
    checks: {},

    verify: async (id) => {
      const here = get().root
      const key = workKey(here, id)
      if (works.has(key)) return
      // The checks on the screen are those of the current folder.
      const put = (change: (check: Check) => Partial<Check>) => {
        if (get().root === here) update(id, change)
      }
      // A proposal is checked in the folder that it belongs to.
      const root = own(get().reviews, id)?.proposal?.root ?? here
      put(() => ({ ...NO_CHECK, after: get().commands.at(-1)?.id ?? 0 }))
      const work = begin(
        { kind: 'work', door: 'verify', request: { ...(root === null ? {} : { root }), ...(id === AS_IS ? {} : { proposalId: id }) } },
        {
          event: (event) => {
            if (event.type === 'verify') put(({ stages }) => ({ stages: withStage(stages, event) }))
            if (event.type === 'token') put(({ summary }) => ({ summary: summary + event.content }))
            if (event.type === 'error') put(() => ({ trouble: event.message }))
          },
          begun: (chat) => put(() => ({ chat })),
          failed: (trouble) => put(() => ({ trouble })),
        },
      )
      works.set(key, work)
      await work.done
      works.delete(key)
      put(() => ({ running: false }))
      // The report of the check is stored with the proposal.
      if (id !== AS_IS && get().root === here) await get().openReview(id)
    },

    stopVerify: (id) => works.get(workKey(get().root, id))?.stop(),
  }
}
