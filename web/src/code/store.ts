import { create } from 'zustand'
import { bufferSlice, turned } from './bufferSlice'
import { fileSlice, NO_FILES } from './fileSlice'
import { historySlice } from './historySlice'
import { layoutSlice } from './layoutSlice'
import { placeSlice } from './placeSlice'
import { reviewSlice } from './reviewSlice'
import { rootSlice } from './rootSlice'
import type { CodeOrder } from './runs'
import type { CodeServices } from './services'
import type { CodeSliceOf, CodeState, Tab, WholeSlice } from './state'
import { keptTabs, readableFile, tabKey, tabRoute, tabSlice } from './tabSlice'
import { terminalSlice } from './terminalSlice'
import { verifySlice } from './verifySlice'

const wholeSlice: CodeSliceOf<WholeSlice> = ({ pages, conversations }) => (set, get) => ({
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
    const route = pages.route()
    // If another folder was shown before, the address names something of it. Otherwise it names something to
    // open, which may not be among the open tabs.
    const past = route.page === 'code' && route.item && before !== null
    if (past) pages.go(tabRoute(last), 'replace')
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
    // The file in view belongs to the current folder, which need not be the folder of the request.
    const seen = more.root === undefined || more.root === root ? readableFile(get()) : null
    const order: CodeOrder = {
      mode,
      ...(root === null ? {} : { root }),
      ...(focusing && seen !== null ? { focusFile: seen } : {}),
      ...(landing === 'auto' ? { apply: landing } : {}),
      ...more,
    }
    conversations.send(text, order)
  },
})

/** Creates the state of the workspace. */
export function createCodeStore(services: CodeServices) {
  return create<CodeState>()((...parts) => ({
    ...rootSlice(services)(...parts),
    ...placeSlice(services)(...parts),
    ...fileSlice(services)(...parts),
    ...tabSlice(services)(...parts),
    ...bufferSlice(services)(...parts),
    ...reviewSlice(services)(...parts),
    ...terminalSlice(services)(...parts),
    ...verifySlice(services)(...parts),
    ...historySlice(services)(...parts),
    ...layoutSlice(services)(...parts),
    ...wholeSlice(services)(...parts),
  }))
}
