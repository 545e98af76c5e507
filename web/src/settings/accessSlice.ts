import { listPeople, listSessions, listTokens, newToken, revokeSession, revokeToken } from '@/api/auth'
import { errorText } from '@/api/http'
import type { Scope, SessionInfo, TokenId, TokenInfo, User } from '@/api/protocol.gen'
import type { SessionSlice } from '@/login/slice'
import type { Slice } from '@/store/slice'

/** The devices and programs with access: signed-in browsers and access tokens. */
export interface AccessSlice {
  sessions: SessionInfo[]
  tokens: TokenInfo[]
  people: User[]
  accessTrouble: string | null
  /** The secret of a newly created token, kept until the user leaves the page. */
  freshSecret: string | null

  refreshAccess: () => Promise<void>
  endSession: (id: TokenId) => Promise<void>
  endToken: (id: TokenId) => Promise<void>
  makeToken: (name: string, scopes: Scope[]) => Promise<void>
  forgetSecret: () => void
}

export const accessSlice: Slice<AccessSlice, Pick<SessionSlice, 'signOut'>> = (set, get) => {
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
      set({ accessTrouble: null })
    } catch (error) {
      set({ accessTrouble: errorText(error) })
    }
  }
  const refresh = async () => {
    const [sessions, tokens, people] = await Promise.all([listSessions(), listTokens(), listPeople()])
    set({ sessions, tokens, people })
  }
  const thenRefresh = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work()
      await refresh()
    })

  return {
    sessions: [],
    tokens: [],
    people: [],
    accessTrouble: null,
    freshSecret: null,

    refreshAccess: () => attempt(refresh),
    endSession: async (id) => {
      const own = get().sessions.find((session) => session.id === id)?.current ?? false
      await (own ? get().signOut() : thenRefresh(() => revokeSession(id)))
    },
    endToken: (id) => thenRefresh(() => revokeToken(id)),
    makeToken: (name, scopes) =>
      thenRefresh(async () => {
        const made = await newToken({ name, scopes })
        set({ freshSecret: made.secret })
      }),
    forgetSecret: () => set({ freshSecret: null }),
  }
}
