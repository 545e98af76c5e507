import { create, type StateCreator } from 'zustand'
import { NEW_CODE } from '@/composer/drafts'
import { rememberHere } from '@/shell/storage'
import { useStore } from '@/store'
import { type BufferSlice, bufferSlice, turned, unsaved } from './bufferSlice'
import { type FileSlice, fileSlice, NO_FILES } from './fileSlice'
import { type HistorySlice, historySlice } from './historySlice'
import { type LayoutSlice, layoutSlice } from './layoutSlice'
import { type PlaceSlice, placeSlice } from './placeSlice'
import { type ReviewSlice, reviewSlice } from './reviewSlice'
import { type RootSlice, rootSlice } from './rootSlice'
import type { CodeOrder } from './runs'
import { keptTabs, readableFile, type Tab, tabKey, tabRoute, type TabSlice, tabSlice } from './tabSlice'
import { type TerminalSlice, terminalSlice } from './terminalSlice'
import { onWorkspacePush, type WorkspacePush } from './told'
import { type VerifySlice, verifySlice } from './verifySlice'

interface WholeSlice {
  /** Switches to another folder, or to none, and drops the state of the previous one. */
  enterRoot: (root: string | null) => void
  refreshAll: () => Promise<void>
  receive: (push: WorkspacePush) => void
  /** Sends a request about the code. */
  ask: (text: string, more?: Partial<CodeOrder>) => void
}

export type CodeState = RootSlice & PlaceSlice & FileSlice & TabSlice & BufferSlice & ReviewSlice & TerminalSlice & VerifySlice & HistorySlice & LayoutSlice & WholeSlice

export type CodeStateSlice<T> = StateCreator<CodeState, [], [], T>

const wholeSlice: CodeStateSlice<WholeSlice> = (set, get) => ({
  enterRoot: (root) => {
    const before = get().root
    const { buffers, left } = turned(get(), root)
    const kept = root === null ? [] : keptTabs(root)
    const known = new Set(kept.map(tabKey))
    const unseen = Object.keys(buffers).map((path): Tab => ({ kind: 'file', path }))
    const tabs = [...kept, ...unseen.filter((tab) => !known.has(tabKey(tab)))]
    const last = tabs.at(-1)
    set({ ...NO_FILES, root, tabs, tab: last ? tabKey(last) : null, buffers, left, proposals: null, reviews: {}, history: null, historyTrouble: null, checks: {} })
    if (root === null) return
    void get().refreshBuffers()
    const { route, go } = useStore.getState()
    // If another folder was shown before, the address names something of it. Otherwise it names something to
    // open, which may not be among the open tabs.
    const past = route.page === 'code' && route.item && before !== null
    if (past) go(tabRoute(last), 'replace')
    if (!past && route.page === 'code' && (route.item || route.view === 'history')) get().arrive(route)
    else if (last?.kind === 'file') void get().readBuffer(last.path)
    void get().refreshFiles()
    void get().refreshProposals()
  },

  refreshAll: async () => {
    // The list of folders comes first: requesting files of a folder that was removed would add it again.
    await get().refreshRoots()
    await Promise.all([
      get().refreshFiles(),
      get().refreshProposals(),
      get().refreshBuffers(),
      get().refreshReviews(),
      ...(get().history ? [get().refreshHistory()] : []),
    ])
  },

  receive: (push) => {
    if (push.action === 'code_index') get().indexed(push.root, push.index)
    // A change in another folder affects only the list here.
    else if (push.action === 'code_changed' && push.root !== get().root) void get().refreshRoots()
    else void get().refreshAll()
  },

  ask: (text, more = {}) => {
    const { root, mode, landing, focusing } = get()
    const { codeChat, send } = useStore.getState()
    // The file in view belongs to the current folder, which need not be the folder of the request.
    const seen = more.root === undefined || more.root === root ? readableFile(get()) : null
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

/**
 * The complete state of the workspace. It is loaded with its page, so that users who only chat do not fetch
 * it.
 */
export const useCode = create<CodeState>()((...parts) => ({
  ...rootSlice(...parts),
  ...placeSlice(...parts),
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

/**
 * The time in which changes are gathered: switching a branch changes many files at once, and one refresh is
 * enough.
 */
const GATHER_MS = 150

let gathered: Exclude<WorkspacePush, { action: 'code_index' }>[] = []
onWorkspacePush((push) => {
  if (push.action === 'code_index') {
    useCode.getState().receive(push)
    return
  }
  gathered.push(push)
  if (gathered.length > 1) return
  setTimeout(() => {
    const { root, receive } = useCode.getState()
    const here = gathered.find((one) => one.action === 'resync' || one.root === root)
    gathered = []
    receive(here ?? push)
  }, GATHER_MS)
})

// The next user to sign in must not see what was open.
useStore.subscribe(({ session }, before) => {
  if (session === before.session || session === 'in') return
  useCode.setState({ ...useCode.getInitialState(), typed: [] }, true)
  rememberHere('code-root', null)
})

// Closing the page would lose unsaved content, even of folders and files that are not in view.
window.addEventListener('beforeunload', (event) => {
  const { buffers, left } = useCode.getState()
  if ([buffers, ...Object.values(left)].some(unsaved)) event.preventDefault()
})
