import { own } from '@/design/own'
import { withStage } from './runs'
import { AS_IS, type CheckRun, type CodeSliceOf, type VerifySlice } from './state'
import { startRun, type RunHandle } from './startRun'

const NO_CHECK: CheckRun = { running: true, stages: [], trouble: null, summary: '', after: 0, chat: null }

const workKey = (root: string | null, id: string) => `${root ?? ''} ${id}`

export const verifySlice: CodeSliceOf<VerifySlice> = (services) => (set, get) => {
  const works = new Map<string, RunHandle>()
  const update = (id: string, change: (check: CheckRun) => Partial<CheckRun>) =>
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
      const put = (change: (check: CheckRun) => Partial<CheckRun>) => {
        if (get().root === here) update(id, change)
      }
      // A proposal is checked in the folder that it belongs to.
      const root = own(get().reviews, id)?.proposal?.root ?? here
      put(() => ({ ...NO_CHECK, after: get().commands.at(-1)?.id ?? 0 }))
      const work = startRun(
        services,
        { kind: 'work', route: 'verify', request: { ...(root === null ? {} : { root }), ...(id === AS_IS ? {} : { proposalId: id }) } },
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
