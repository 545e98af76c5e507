import { errorText } from '@/api/http'
import type { MessageId, TurnId, Why } from '@/api/protocol.gen'
import { readWhy as readWhy } from '@/api/turns'
import type { Slice } from '@/store/slice'

export interface WhySlice {
  /** The turn that is being inspected. */
  why: { turn: TurnId; message: MessageId; report: Why | null; trouble: string | null } | null

  showWhy: (turn: TurnId, message: MessageId) => Promise<void>
  closeWhy: () => void
}

export const whySlice: Slice<WhySlice> = (set, get) => ({
  why: null,

  showWhy: async (turn, message) => {
    set({ why: { turn, message, report: null, trouble: null } })
    const settle = (outcome: { report: Why } | { trouble: string }) => {
      const { why } = get()
      if (why?.turn === turn) set({ why: { ...why, ...outcome } })
    }
    try {
      settle({ report: await readWhy(turn) })
    } catch (error) {
      settle({ trouble: errorText(error) })
    }
  },

  closeWhy: () => set({ why: null }),
})
