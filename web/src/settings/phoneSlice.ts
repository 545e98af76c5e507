import { errorText } from '@/api/http'
import { newLanCode, readLan } from '@/api/lan'
import type { LanCode, LanReport } from '@/api/protocol.gen'
import type { Notices } from '@/shell/slice'
import type { Slice } from '@/store/slice'
import type { AccessSlice } from './accessSlice'
import { browserName } from './browserName'
import type { SettingsSlice } from './slice'

/** Access from phones: its state, and the code with which one phone can sign in. */
export interface PhoneSlice {
  lan: LanReport | null
  lanTrouble: string | null
  /** The displayed code and its expiry time. */
  lanCode: (LanCode & { until: number }) | null

  refreshLan: () => Promise<void>
  switchLan: (on: boolean) => Promise<void>
  showLanCode: () => Promise<void>
  forgetLanCode: () => void
  /** Checks whether a phone has signed in with the code. */
  awaitPhone: () => Promise<void>
}

/** The number of checks after a change: the server starts or stops listening a moment later. */
const ATTEMPTS = 25
const BETWEEN_MS = 200

export const phoneSlice: Slice<PhoneSlice, Pick<AccessSlice, 'sessions' | 'refreshAccess'> & Pick<SettingsSlice, 'changeConfig'> & Notices> = (set, get) => {
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
      set({ lanTrouble: null })
    } catch (error) {
      set({ lanTrouble: errorText(error) })
    }
  }
  const read = async () => {
    const lan = await readLan()
    set({ lan })
    return lan
  }

  return {
    lan: null,
    lanTrouble: null,
    lanCode: null,

    refreshLan: () => attempt(async () => void (await read())),
    switchLan: (on) =>
      attempt(async () => {
        set({ lanCode: null })
        await get().changeConfig('server.lan', on)
        for (let attemptNumber = 0; attemptNumber < ATTEMPTS; attemptNumber += 1) {
          const lan = await read()
          if (lan.on === on || (on && lan.trouble !== null)) return
          await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
        }
      }),
    showLanCode: () =>
      attempt(async () => {
        await get().refreshAccess()
        const code = await newLanCode()
        set({ lanCode: { ...code, until: Date.now() + code.seconds * 1000 } })
      }),
    forgetLanCode: () => set({ lanCode: null }),
    awaitPhone: async () => {
      const known = new Set(get().sessions.map(({ id }) => id))
      await get().refreshAccess()
      const came = get().sessions.find(({ id }) => !known.has(id))
      if (!came || !get().lanCode) return
      set({ lanCode: null })
      get().notify({ tone: 'plain', text: `Signed in: ${browserName(came.agent)}` })
    },
  }
}
