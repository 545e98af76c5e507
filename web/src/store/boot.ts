import { onSignedOut } from '@/api/http'
import { Hub } from '@/api/hub'
import type { Push } from '@/api/protocol.gen'
import { cue } from '@/body/cues'
import { forwardToWorkspace } from '@/code/workspacePush'
import { NEW, NEW_CODE } from '@/composer/drafts'
import { useMemoryStore } from '@/memory/useMemoryStore'
import { useServerStore } from '@/servers/useServerStore'
import { takeReturn } from '@/settings/fromSpotify'
import { fragmentOf, parseRoute, parseView } from '@/shell/route'
import { serverUnreachable, serverAnswered } from '@/sw/page'
import { restoreView } from '@/views/slice'
import { useStore } from '.'

/** Applies a message that the server pushed. */
export function receive(push: Push): void {
  const state = useStore.getState()
  const memory = useMemoryStore.getState()
  state.logPush(push)
  switch (push.action) {
    case 'hello':
      void serverAnswered()
      break
    case 'resync':
      loadEverything()
      forwardToWorkspace(push)
      break
    case 'chat_changed':
      state.chatChanged(push.chat)
      break
    case 'chat_deleted':
      state.chatGone(push.id)
      if (push.id === state.incognito) state.closeIncognito()
      else if (push.id === state.codeChat) {
        state.moveDraft(push.id, NEW_CODE)
        state.showCodeChat(null)
      } else if (isOpen(push.id)) {
        state.moveDraft(push.id, NEW)
        state.go({ page: 'new' }, 'replace')
        state.notify({ tone: 'plain', text: 'This conversation was deleted elsewhere.' })
      }
      break
    case 'chat_opened':
      break
    case 'turn_started':
      state.setRunning(push.conversationId, true)
      if (isOpen(push.conversationId) || isBesideCode(push.conversationId)) void state.watch(push.conversationId, push.turnId)
      break
    case 'turn_ended':
      state.turnEnded(push.conversationId, push.turnId)
      state.forgetQuestions(push.messageId)
      break
    case 'chat_summarised':
      if (isOpen(push.conversationId) && !state.live[push.conversationId]) void state.refreshChat(push.conversationId)
      break
    case 'download':
      state.downloadChanged(push.download)
      break
    case 'model':
      state.modelChanged(push.current)
      break
    case 'config_changed':
      void state.refreshConfig()
      void state.refreshModels()
      // A group of tools may have been switched on or off.
      if (state.tools) void state.refreshTools()
      break
    case 'confirmation_asked':
      state.questionAsked(push.waiting)
      break
    case 'confirmation_settled':
      state.questionSettled(push.id)
      break
    case 'permissions_changed':
      if (state.tools) void state.refreshTools()
      break
    case 'tools_changed':
      toolsChanged()
      break
    case 'memory_changed':
      memory.memoryChanged()
      break
    case 'forgotten':
      memory.forgotten()
      break
    case 'personality_changed':
      if (state.personality) void state.refreshPersonality()
      break
    case 'code_index':
    case 'code_changed':
      forwardToWorkspace(push)
      break
    case 'body_changed':
      state.bodyChanged()
      break
    case 'set_background':
      state.backgroundChanged(push.filename)
      break
    case 'state':
      state.avatarStateChanged(push.state)
      break
    case 'speaker':
      state.setSpeaks(push.speaks)
      break
    case 'play':
    case 'expression':
      cue(push)
      break
    case 'audio':
      if (state.speaks) cue(push)
      break
    case 'tool_call':
    case 'chat':
      break
  }
}

function isOpen(id: string): boolean {
  const { route } = useStore.getState()
  return route.page === 'chat' && route.id === id
}

function isBesideCode(id: string): boolean {
  const { route, codeChat } = useStore.getState()
  return route.page === 'code' && codeChat === id
}

function loadEverything(): void {
  const state = useStore.getState()
  void state.refreshModels()
  void state.refreshChats()
  void state.refreshConfig()
  void state.refreshQuestions()
  toolsChanged()
  if (state.personality) void state.refreshPersonality()
  useMemoryStore.getState().memoryChanged()
  state.bodyChanged()
  if (state.route.page === 'chat') void state.openChat(state.route.id)
  if (state.codeChat !== null && isBesideCode(state.codeChat)) void state.peekChat(state.codeChat)
}

/** Loads the tools and the servers again, as far as they are shown. */
function toolsChanged(): void {
  const { tools, refreshTools } = useStore.getState()
  if (tools) void refreshTools()
  useServerStore.getState().serversChanged()
}

/** Rewrites a typed address such as `/memory` to `/#/memory`. */
function nameAddress(): void {
  const { pathname, hash } = window.location
  const route = parseRoute(pathname)
  const view = parseView(pathname)
  if (hash === '' && (route.page !== 'new' || view !== 'dev')) window.history.replaceState(null, '', `/${fragmentOf(route, view)}`)
}

/** Signs in, and from then on keeps the store in sync with the server and the address. */
export function boot(): void {
  let returned = takeReturn()
  nameAddress()
  restoreView()
  useStore.getState().readAddress()
  const hub = new Hub({
    push: receive,
    line: (line) => {
      useStore.getState().setConnection(line.open)
      // A refused connection looks the same as a broken one: ask the server which it is.
      if (!line.open && line.again > 0) void useStore.getState().checkSession()
    },
  })

  document.addEventListener('visibilitychange', () => hub.setVisible(!document.hidden))
  window.addEventListener('focus', () => hub.setVisible(true))

  onSignedOut(() => useStore.getState().forgetSession())
  window.addEventListener('popstate', () => useStore.getState().readAddress())
  window.addEventListener('hashchange', () => useStore.getState().readAddress())
  window.addEventListener('pagehide', () => useStore.getState().closeIncognito())

  useStore.subscribe((state, before) => {
    if (state.session !== before.session) {
      if (state.session === 'unreachable') serverUnreachable()
      if (state.session === 'in') {
        hub.start()
        loadEverything()
        // If the user has to sign in first, the sign-in to Spotify still completes afterwards.
        if (returned) void state.finishSpotify(returned)
        returned = null
      } else hub.stop()
      return
    }
    if (state.session !== 'in' || state.route === before.route) return
    if (state.incognito !== null && !isOpen(state.incognito)) state.closeIncognito()
    const was = before.route.page === 'chat' ? before.route.id : null
    if (state.route.page === 'chat' && state.route.id !== was) void state.openChat(state.route.id)
  })

  void useStore.getState().beginSession()
}
