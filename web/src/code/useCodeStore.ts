import * as api from '@/api/code'
import { followTurn, stopTurn } from '@/api/turns'
import { NEW_CODE } from '@/composer/drafts'
import { storeInTab } from '@/shell/storage'
import { useStore } from '@/store'
import { notices, pages } from '@/store/services'
import { holdUserData } from '@/store/userData'
import { hasUnsaved } from './bufferSlice'
import { createCodeStore } from './store'
import { onWorkspacePush, type WorkspacePush } from './workspacePush'

/** The workspace of this page. It is loaded with its page, so that users who only chat do not fetch it. */
export const useCodeStore = createCodeStore({
  api,
  followTurn,
  stopTurn,
  notices,
  pages,
  followQuestions: (chat, message, events) => useStore.getState().followQuestions(chat, message, events),
  conversations: {
    send: (text, order) => {
      const { codeChat, send } = useStore.getState()
      void send(codeChat ?? NEW_CODE, { text, files: [], code: order })
    },
    refresh: (id) => {
      const { conversations, refreshChat } = useStore.getState()
      if (conversations[id]) void refreshChat(id)
    },
    answerHere: (id) => useStore.getState().answerInWorkspace(id),
  },
})

/**
 * The time in which changes are gathered: switching a branch changes many files at once, and one refresh is
 * enough.
 */
const GATHER_MS = 150

let gathered: Exclude<WorkspacePush, { action: 'code_index' }>[] = []
onWorkspacePush((push) => {
  if (push.action === 'code_index') {
    useCodeStore.getState().receive(push)
    return
  }
  gathered.push(push)
  if (gathered.length > 1) return
  setTimeout(() => {
    const { root, receive } = useCodeStore.getState()
    const here = gathered.find((one) => one.action === 'resync' || one.root === root)
    gathered = []
    receive(here ?? push)
  }, GATHER_MS)
})

holdUserData({
  reset: () => {
    useCodeStore.setState({ ...useCodeStore.getInitialState(), commandHistory: [] }, true)
    storeInTab('code-root', null)
  },
})

// Closing the page would lose unsaved content, even of folders and files that are not in view.
window.addEventListener('beforeunload', (event) => {
  const { buffers, otherBuffers } = useCodeStore.getState()
  if ([buffers, ...Object.values(otherBuffers)].some(hasUnsaved)) event.preventDefault()
})
