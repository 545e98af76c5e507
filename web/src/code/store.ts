import { create, type StateCreator } from 'zustand'
import { NEW_CODE } from '@/composer/drafts'
import { useStore } from '@/store'
import { type BufferSlice, bufferSlice } from './bufferSlice'
import { type FileSlice, fileSlice, NO_FILES } from './fileSlice'
import { type HistorySlice, historySlice } from './historySlice'
import { type LayoutSlice, layoutSlice } from './layoutSlice'
import { type ReviewSlice, reviewSlice } from './reviewSlice'
import { type RootSlice, rootSlice } from './rootSlice'
import type { CodeOrder } from './runs'
import { keptTabs, readableFile, tabKey, type TabSlice, tabSlice } from './tabSlice'
import { type TerminalSlice, terminalSlice } from './terminalSlice'
import { onWorkspacePush, type WorkspacePush } from './told'
import { type VerifySlice, verifySlice } from './verifySlice'

interface WholeSlice {
  /** Another folder, or none: nothing of the one before holds. */
  enterRoot: (root: string | null) => void
  refreshAll: () => Promise<void>
  receive: (push: WorkspacePush) => void
  /** Asks her something about the code. */
  ask: (text: string, more?: Partial<CodeOrder>) => void
}

export type CodeState = RootSlice & FileSlice & TabSlice & BufferSlice & ReviewSlice & TerminalSlice & VerifySlice & HistorySlice & LayoutSlice & WholeSlice

export type CodeStateSlice<T> = StateCreator<CodeState, [], [], T>

const wholeSlice: CodeStateSlice<WholeSlice> = (set, get) => ({
  enterRoot: (root) => {
    const tabs = root === null ? [] : keptTabs(root)
    const last = tabs.at(-1)
    set({ ...NO_FILES, tabs, tab: last ? tabKey(last) : null, buffers: {}, proposals: null, reviews: {}, history: null, historyTrouble: null, checks: {} })
    if (root === null) return
    // The address names what is wanted, which may be none of what was open.
    const { route } = useStore.getState()
    if (route.page === 'code' && (route.item || route.view === 'history')) get().arrive(route)
    else if (last?.kind === 'file') void get().readBuffer(last.path)
    void get().refreshFiles()
    void get().refreshProposals()
  },

  refreshAll: async () => {
    await Promise.all([
      get().refreshRoots(),
      get().refreshFiles(),
      get().refreshProposals(),
      get().refreshBuffers(),
      get().refreshReviews(),
      ...(get().history ? [get().refreshHistory()] : []),
    ])
  },

  receive: (push) => {
    if (push.action === 'code_index') get().indexed(push.root, push.index)
    else void get().refreshAll()
  },

  ask: (text, more = {}) => {
    const { root, mode, landing, focusing } = get()
    const { codeChat, send } = useStore.getState()
    const seen = readableFile(get())
    const order: CodeOrder = {
      mode,
      ...(root === null ? {} : { root }),
      ...(focusing && seen !== null ? { focusFile: seen } : {}),
      ...(landing === 'auto' ? { apply: landing } : {}),
      ...more,
    }
    void send(codeChat ?? NEW_CODE, { text, files: [], code: order })
  },
})

/** All that the workspace knows. It comes with its page: whoever only talks need not fetch it. */
export const useCode = create<CodeState>()((...parts) => ({
  ...rootSlice(...parts),
  ...fileSlice(...parts),
  ...tabSlice(...parts),
  ...bufferSlice(...parts),
  ...reviewSlice(...parts),
  ...terminalSlice(...parts),
  ...verifySlice(...parts),
  ...historySlice(...parts),
  ...layoutSlice(...parts),
  ...wholeSlice(...parts),
}))

/** Many files change at once where a branch is switched: one look is enough for all of them. */
const GATHER_MS = 150

let gathering: ReturnType<typeof setTimeout> | undefined
onWorkspacePush((push) => {
  if (push.action === 'code_index') {
    useCode.getState().receive(push)
    return
  }
  gathering ??= setTimeout(() => {
    gathering = undefined
    useCode.getState().receive(push)
  }, GATHER_MS)
})

// Whoever signs in next sees nothing of what was open.
useStore.subscribe(({ session }, before) => {
  if (session !== before.session && session !== 'in') useCode.setState({ ...useCode.getInitialState(), typed: [] }, true)
})

// What is not saved would go with the page, whichever of them is seen.
window.addEventListener('beforeunload', (event) => {
  if (Object.values(useCode.getState().buffers).some(({ written }) => written !== null)) event.preventDefault()
})
