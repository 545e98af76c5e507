import { authStatus, login, logout } from '@/api/auth'
import { ApiFailure, errorText } from '@/api/http'
import type { AuthStatus, LoginRequest, User } from '@/api/protocol.gen'
import type { BodySlice } from '@/body/slice'
import type { IncognitoSlice, SendSlice } from '@/chat/state'
import type { CodeSlice } from '@/code/slice'
import type { ComposerSlice } from '@/composer/state'
import type { InstallSlice } from '@/install/slice'
import type { ShellSlice } from '@/shell/slice'
import { storedValue, storeValue } from '@/shell/storage'
import type { Slice } from '@/store/slice'
import { discardUnsaved, resetUserData } from '@/store/userData'
import { restoreView, type ViewSlice } from '@/views/slice'
import type { TickSlice } from '@/widgets/tickSlice'
import { takeCode } from './code'

export type SessionState = 'asking' | 'out' | 'in' | 'unreachable'

export interface SessionSlice {
  session: SessionState
  user: User | null
  /** The reason why the user is not signed in, as text. */
  loginTrouble: string | null
  signingIn: boolean

  beginSession: () => Promise<void>
  /** Signs out if the server no longer knows this browser. */
  checkSession: () => Promise<void>
  signIn: (credentials: LoginRequest) => Promise<void>
  /** Signs in with a pasted secret, which may be a token or a code. */
  signInWith: (secret: string) => Promise<void>
  signOut: () => Promise<void>
  forgetSession: () => void
}

/** What is closed, kept or dropped when a session begins or ends. */
type Uses = ShellSlice & ViewSlice & ComposerSlice & SendSlice & IncognitoSlice & BodySlice & CodeSlice & InstallSlice & TickSlice

const SPENT_CODE = 'This link has already been used, or is more than two minutes old. Run perigee open for a new one.'

/** The format of a one-time code. */
const CODE = /^[\w-]{16,40}$/

export const sessionSlice: Slice<SessionSlice, Uses> = (set, get, store) => {
  /** Returns the initial state, except for what belongs to this browser rather than to a user. */
  const empty = () => {
    const { theme, textSize, quality, installing, cardsHidden, sidebarShown, route, view, lastConversation, drafts, ticks } = get()
    return { ...store.getInitialState(), theme, textSize, quality, installing, cardsHidden, sidebarShown, route, view, lastConversation, drafts, ticks }
  }

  const forgetWritten = () => {
    storeValue('drafts', null)
    storeValue('ticks', null)
    storeValue('code-chat', null)
    storeValue('code-tabs', null)
    storeValue('code-typed', null)
    set({ drafts: {}, ticks: {}, codeChat: null })
    discardUnsaved()
  }

  /**
   * Applies a login status. Drafts and ticks stay in the browser, but are dropped if a different user signs
   * in.
   */
  const admit = ({ authenticated, user }: AuthStatus) => {
    if (user && (storedValue('drafts-of') ?? user.id) !== user.id) {
      forgetWritten()
      get().go({ page: 'new' }, 'replace')
    }
    if (user) storeValue('drafts-of', user.id)
    set({ session: authenticated ? 'in' : 'out', user })
  }

  return {
    session: 'asking',
    user: null,
    loginTrouble: null,
    signingIn: false,

    beginSession: async () => {
      const code = takeCode()
      if (code !== null) {
        restoreView()
        get().readAddress()
        await get().signIn({ code })
        if (get().session === 'in') return
      }
      const trouble = get().loginTrouble
      try {
        const status = await authStatus()
        set({ loginTrouble: status.authenticated ? null : trouble })
        admit(status)
      } catch (error) {
        set({ session: 'unreachable', loginTrouble: errorText(error) })
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
        // Responses still on their way for the previous user have arrived by now.
        set({ ...empty(), session: get().session }, true)
        resetUserData()
        admit(status)
      } catch (error) {
        const spent = credentials.code !== undefined && error instanceof ApiFailure && error.status === 401
        set({ session: 'out', signingIn: false, loginTrouble: spent ? SPENT_CODE : errorText(error) })
      }
    },

    signInWith: async (secret) => {
      // A user-defined token can be as short as a code, so only trying tells them apart.
      await get().signIn({ token: secret })
      if (get().session !== 'in' && CODE.test(secret)) await get().signIn({ code: secret })
    },

    signOut: async () => {
      get().closeIncognito()
      await logout().catch(() => {})
      get().forgetSession()
      forgetWritten()
      get().go({ page: 'new' }, 'replace')
    },

    // Drafts and the address stay, so that the user can continue after signing in again.
    forgetSession: () => {
      if (get().session === 'out') return
      get().unfollowAll()
      for (const draftKey of Object.keys({ ...get().outgoing, ...get().queues })) get().moveUnsentToDraft(draftKey)
      set({ ...empty(), session: 'out' }, true)
      resetUserData()
    },
  }
}
