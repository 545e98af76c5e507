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
  /** Another folder, or none: nothing of the one before holds. */
  enterRoot: (root: string | null) => void
  refreshAll: () => Promise<void>
  receive: (push: WorkspacePush) => void
  /** Asks her something about the code. */
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
    // The address names something of the folder that was shown, or else what is wanted: that may be none of what was open.
    const past = route.page === 'code' && route.item && before !== null
    if (past) go(tabRoute(last), 'replace')
    if (!past && route.page === 'code' && (route.item || route.view === 'history')) get().arrive(route)
    else if (last?.kind === 'file') void get().readBuffer(last.path)
    void get().refreshFiles()
    void get().refreshProposals()
  },

  refreshAll: async () => {
    // Whether the folder is still on the list comes first: to ask for its files would put it there again.
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
    // What happens in another folder changes nothing here but the list.
    else if (push.action === 'code_changed' && push.root !== get().root) void get().refreshRoots()
    else void get().refreshAll()
  },

  ask: (text, more = {}) => {
    const { root, mode, landing, focusing } = get()
    const { codeChat, send } = useStore.getState()
    // What is seen is of the folder that is shown, which need not be the one that is meant.
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

/** All that the workspace knows. It comes with its page: whoever only talks need not fetch it. */
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

/** Many files change at once where a branch is switched: one look is enough for all of them. */
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

// Whoever signs in next sees nothing of what was open.
useStore.subscribe(({ session }, before) => {
  if (session === before.session || session === 'in') return
  useCode.setState({ ...useCode.getInitialState(), typed: [] }, true)
  rememberHere('code-root', null)
})

// What is not saved would go with the page, whichever of them is seen.
window.addEventListener('beforeunload', (event) => {
  const { buffers, left } = useCode.getState()
  if ([buffers, ...Object.values(left)].some(unsaved)) event.preventDefault()
})
