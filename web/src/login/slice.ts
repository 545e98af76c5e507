import { authStatus, login, logout } from '@/api/auth'
import { ApiFailure, words } from '@/api/http'
import type { LoginRequest, User } from '@/api/protocol.gen'
import type { Slice } from '@/store'
import { remember } from '@/shell/storage'
import { takeCode } from './code'

export type SessionState = 'asking' | 'out' | 'in' | 'unreachable'

export interface SessionSlice {
  session: SessionState
  user: User | null
  /** Why nobody is signed in, in words. */
  loginTrouble: string | null
  signingIn: boolean

  beginSession: () => Promise<void>
  /** Leaves where the server no longer knows this browser. */
  checkSession: () => Promise<void>
  signIn: (credentials: LoginRequest) => Promise<void>
  /** By something pasted, which may be a token or a code. */
  signInWith: (secret: string) => Promise<void>
  signOut: () => Promise<void>
  forgetSession: () => void
}

const SPENT_CODE = 'That link was used already, or is older than two minutes. Run perigee open for a fresh one.'

/** The shape of a one-time code. */
const CODE = /^[\w-]{16,40}$/

export const sessionSlice: Slice<SessionSlice> = (set, get) => ({
  session: 'asking',
  user: null,
  loginTrouble: null,
  signingIn: false,

  beginSession: async () => {
    const code = takeCode()
    if (code !== null) {
      get().readAddress()
      await get().signIn({ code })
      if (get().session === 'in') return
    }
    const trouble = get().loginTrouble
    try {
      const status = await authStatus()
      set({ session: status.authenticated ? 'in' : 'out', user: status.user, loginTrouble: status.authenticated ? null : trouble })
    } catch (error) {
      set({ session: 'unreachable', loginTrouble: words(error) })
    }
  },

  checkSession: async () => {
    const status = await authStatus().catch(() => null)
    if (status && !status.authenticated) get().forgetSession()
  },

  signIn: async (credentials) => {
    set({ signingIn: true, loginTrouble: null })
    try {
      await login(credentials)
      const status = await authStatus()
      set({ session: status.authenticated ? 'in' : 'out', user: status.user, signingIn: false })
    } catch (error) {
      const spent = credentials.code !== undefined && error instanceof ApiFailure && error.status === 401
      set({ session: 'out', signingIn: false, loginTrouble: spent ? SPENT_CODE : words(error) })
    }
  },

  signInWith: async (secret) => {
    // A key that somebody chose themselves can be as short as a code, so that only trying tells.
    await get().signIn({ token: secret })
    if (get().session !== 'in' && CODE.test(secret)) await get().signIn({ code: secret })
  },

  signOut: async () => {
    await logout().catch(() => {})
    remember('drafts', null)
    set({ drafts: {}, queues: {} })
    get().forgetSession()
  },

  // Drafts stay: whoever signs in again goes on where they were.
  forgetSession: () =>
    set({
      session: 'out', user: null, overlay: null, why: null, chats: [], chatsState: 'loading', conversations: {}, sentFiles: {},
      models: null, config: null, sessions: [], tokens: [], freshSecret: null, paletteHits: [],
    }),
})
