import { create } from 'zustand'
import { bufferSlice, switchedBuffers } from './bufferSlice'
import { fileSlice, NO_FILES } from './fileSlice'
import { historySlice } from './historySlice'
import { layoutSlice } from './layoutSlice'
import { folderBrowserSlice } from './folderBrowserSlice'
import { reviewSlice } from './reviewSlice'
import { rootSlice } from './rootSlice'
import type { CodeRequestOptions } from './runs'
import type { CodeServices } from './services'
import type { CodeSliceOf, CodeState, WorkspaceTab, WorkspaceSlice } from './state'
import { storedTabs, readableFile, tabKey, tabRoute, tabSlice } from './tabSlice'
import { terminalSlice } from './terminalSlice'
import { verifySlice } from './verifySlice'

const workspaceSlice: CodeSliceOf<WorkspaceSlice> = ({ pages, conversations }) => (set, get) => ({
  enterRoot: (root) => {
    const before = get().root
    const { buffers, otherBuffers } = switchedBuffers(get(), root)
    const kept = root === null ? [] : storedTabs(root)
    const known = new Set(kept.map(tabKey))
    const unseen = Object.keys(buffers).map((path): WorkspaceTab => ({ kind: 'file', path }))
    const tabs = [...kept, ...unseen.filter((tab) => !known.has(tabKey(tab)))]
    const last = tabs.at(-1)
    set({ ...NO_FILES, root, tabs, tab: last ? tabKey(last) : null, buffers, otherBuffers, proposals: null, reviews: {}, history: null, historyTrouble: null, checks: {} })
    if (root === null) return
    void get().refreshBuffers()
    const route = pages.route()
    // If another folder was shown before, the address names something of it. Otherwise it names something to
    // open, which may not be among the open tabs.
    const past = route.page === 'code' && route.item && before !== null
    if (past) pages.go(tabRoute(last), 'replace')
    if (!past && route.page === 'code' && (route.item || route.view === 'history')) get().openRoute(route)
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
    const { root, mode, applyMode, focusing } = get()
    // The file in view belongs to the current folder, which need not be the folder of the request.
    const seen = more.root === undefined || more.root === root ? readableFile(get()) : null
    const order: CodeRequestOptions = {
      mode,
      ...(root === null ? {} : { root }),
      ...(focusing && seen !== null ? { focusFile: seen } : {}),
      ...(applyMode === 'auto' ? { apply: applyMode } : {}),
      ...more,
    }
    conversations.send(text, order)
  },
})

/** Creates the state of the workspace. */
export function createCodeStore(services: CodeServices) {
  return create<CodeState>()((...parts) => ({
    ...rootSlice(services)(...parts),
    ...folderBrowserSlice(services)(...parts),
    ...fileSlice(services)(...parts),
    ...tabSlice(services)(...parts),
    ...bufferSlice(services)(...parts),
    ...reviewSlice(services)(...parts),
    ...terminalSlice(services)(...parts),
    ...verifySlice(services)(...parts),
    ...historySlice(services)(...parts),
    ...layoutSlice(services)(...parts),
    ...workspaceSlice(services)(...parts),
  }))
}
