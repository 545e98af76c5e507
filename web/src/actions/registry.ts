import {
  Archive,
  ArrowDown,
  ArrowUp,
  BookOpen,
  Bot,
  Brain,
  CircleHelp,
  CircleStop,
  CodeXml,
  Command,
  Copy,
  Eraser,
  EyeOff,
  FileJson,
  FileText,
  Folder,
  FolderCode,
  HatGlasses,
  LayoutPanelLeft,
  ListChecks,
  LogOut,
  type LucideIcon,
  MessageCircleQuestion,
  MonitorDown,
  Moon,
  MoonStar,
  NotebookPen,
  Orbit,
  PanelLeft,
  PanelTop,
  Paperclip,
  Pencil,
  PersonStanding,
  Pin,
  Plug,
  RefreshCw,
  ScanFace,
  ScrollText,
  Search,
  Settings,
  SlidersHorizontal,
  SquarePen,
  Sun,
  Tag,
  TextCursorInput,
  Trash2,
  WandSparkles,
  Wrench,
} from 'lucide-react'
import { chatExportAddress, type ExportFormat } from '@/api/chats'
import type { ConversationId } from '@/api/protocol.gen'
import { lastOf } from '@/chat/conversation'
import { NEW_CODE } from '@/composer/drafts'
import { copy } from '@/design/CopyButton'
import { useMemoryStore } from '@/memory/useMemoryStore'
import type { View } from '@/shell/route'
import type { AppState } from '@/store/state'

/** A user action, defined once for the palette, the slash menu, the shortcuts and the help sheet. */
export interface Action {
  id: string
  title: string
  icon: LucideIcon
  /** Additional search terms. */
  words?: string
  keys?: string
  slash?: { name: string; takes?: string }
  when?: (state: AppState) => boolean
  run: (state: AppState, argument: string) => void
}

function openId(state: AppState): ConversationId | null {
  return state.route.page === 'chat' ? state.route.id : null
}

const inChat = (state: AppState) => openId(state) !== null
const answering = (state: AppState) => {
  const id = openId(state)
  return id !== null && state.live[id] !== undefined
}
const kept = (state: AppState) => inChat(state) && openId(state) !== state.incognito
const resting = (state: AppState) => inChat(state) && !answering(state)

function messages(state: AppState) {
  const id = openId(state)
  return id === null ? [] : (state.conversations[id]?.messages ?? [])
}

function chatOf(state: AppState) {
  const id = openId(state)
  return id === null ? null : (state.conversations[id]?.chat ?? state.chats.find((chat) => chat.id === id) ?? null)
}

/** Downloads through a clicked link, so that the server names the file and the page stays open. */
export function download(id: ConversationId, format: ExportFormat): void {
  const link = document.createElement('a')
  link.href = chatExportAddress(id, format)
  link.download = ''
  link.click()
}

function step(state: AppState, by: 1 | -1): void {
  const index = state.chats.findIndex((chat) => chat.id === openId(state))
  const next = state.chats[index < 0 ? 0 : index + by]
  if (next) state.go({ page: 'chat', id: next.id })
}

/** The id of the card with the confirmation request that waits for a reply. */
export const QUESTION_CARD = 'question-card'
export const SEARCH_FIELD = 'chat-search'
export const FILE_FIELD = 'composer-files'

function focusSearch(state: AppState, query: string): void {
  if (query !== '') state.setSearch(query)
  if (!state.sidebarShown) state.toggleSidebar()
  state.setDrawer(true)
  requestAnimationFrame(() => document.getElementById(SEARCH_FIELD)?.focus())
}

function chooseModel(state: AppState, query: string): void {
  const wanted = query.toLowerCase()
  const found = wanted === '' ? undefined : state.models?.installed.find((model) => model.name.toLowerCase().includes(wanted))
  if (found) void state.chooseModel(found.name)
  else state.show({ kind: 'models' })
}

/**
 * Focuses the waiting confirmation request, preferably one of the open conversation; otherwise opens the
 * conversation that asks.
 */
function answerQuestion(state: AppState): void {
  const here = state.questions.find((question) => question.conversationId === openId(state))
  const there = here ?? state.questions[0]
  if (!there) return
  if (!here) state.go({ page: 'chat', id: there.conversationId })
  requestAnimationFrame(() => document.getElementById(QUESTION_CARD)?.focus())
}

const onHerScreen = (state: AppState) => state.view === 'luna'
const VIEWS: View[] = ['dev', 'user', 'luna']
const viewNamed = (name: string) => VIEWS.find((view) => view === name.trim().toLowerCase())
const next = (view: View): View => VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length] ?? 'dev'

function pinnedHere(state: AppState) {
  const id = openId(state)
  return id === null ? [] : (state.conversations[id]?.pinned ?? [])
}

export const ACTIONS: Action[] = [
  {
    id: 'new', title: 'New chat', icon: SquarePen, words: 'conversation start', keys: 'mod+shift+o', slash: { name: 'new' },
    run: (state) => {
      state.go({ page: 'new' })
      state.focusComposer()
    },
  },
  {
    id: 'incognito', title: 'New incognito chat', icon: HatGlasses, words: 'private secret temporary off the record', keys: 'mod+shift+l', slash: { name: 'incognito' },
    run: (state) => void state.startIncognito(),
  },
  { id: 'search', title: 'Search conversations', icon: Search, words: 'find', keys: 'mod+shift+f', slash: { name: 'search', takes: 'words' }, run: focusSearch },
  {
    id: 'palette', title: 'Command palette', icon: Command, keys: 'mod+k', slash: { name: 'palette', takes: 'words' },
    run: (state, query) => state.show({ kind: 'palette', query }),
  },
  { id: 'model', title: 'Choose a model', icon: Bot, words: 'download pull ollama', slash: { name: 'model', takes: 'name' }, run: chooseModel },
  {
    id: 'stop', title: 'Stop the answer', icon: CircleStop, words: 'cancel', slash: { name: 'stop' }, when: answering,
    run: (state) => void state.stop(openId(state) ?? ''),
  },
  {
    id: 'regenerate', title: 'Answer again', icon: RefreshCw, words: 'regenerate retry', slash: { name: 'regenerate' }, when: resting,
    run: (state) => {
      const answer = lastOf(messages(state), 'assistant')
      if (answer) void state.regenerate(openId(state) ?? '', answer.id)
    },
  },
  {
    id: 'edit', title: 'Edit the last message', icon: Pencil, slash: { name: 'edit' }, when: resting,
    run: (state) => {
      const message = lastOf(messages(state), 'user')
      if (message) void state.startEdit(openId(state) ?? '', message)
    },
  },
  {
    id: 'copy', title: 'Copy the last answer', icon: Copy, keys: 'mod+shift+c', slash: { name: 'copy' }, when: inChat,
    run: (state) => {
      const answer = lastOf(messages(state), 'assistant')
      if (answer) void copy(answer.content).then((done) => done && state.notify({ tone: 'plain', text: 'The answer is copied.' }))
    },
  },
  {
    id: 'why', title: 'Why did you say that?', icon: CircleHelp, words: 'prompt tokens context explain', slash: { name: 'why' }, when: inChat,
    run: (state) => {
      const answer = lastOf(messages(state), 'assistant')
      if (answer?.turnId) void state.showWhy(answer.turnId, answer.id)
    },
  },
  {
    id: 'attach', title: 'Attach files', icon: Paperclip, words: 'upload picture image', slash: { name: 'attach' },
    run: () => document.getElementById(FILE_FIELD)?.click(),
  },
  {
    id: 'rename', title: 'Rename this conversation', icon: TextCursorInput, words: 'title', slash: { name: 'rename', takes: 'title' }, when: kept,
    run: (state, title) => {
      const id = openId(state) ?? ''
      if (title !== '') void state.patchChat(id, { title })
      else state.rename({ id, where: 'head' })
    },
  },
  {
    id: 'pin', title: 'Pin or unpin this conversation', icon: Pin, words: 'favourite', slash: { name: 'pin' }, when: kept,
    run: (state) => void state.patchChat(openId(state) ?? '', { pinned: !chatOf(state)?.pinned }),
  },
  {
    id: 'move', title: 'Move to a folder', icon: Folder, words: 'organise', slash: { name: 'move', takes: 'folder' }, when: kept,
    run: (state, folder) => {
      const id = openId(state) ?? ''
      if (folder !== '') void state.patchChat(id, { folder })
      else state.show({ kind: 'organise', chat: id })
    },
  },
  {
    id: 'tag', title: 'Tag this conversation', icon: Tag, words: 'label organise', slash: { name: 'tag', takes: 'tags' }, when: kept,
    run: (state, text) => {
      const id = openId(state) ?? ''
      const tags = text.split(/[\s,#]+/).filter(Boolean)
      if (tags.length === 0) state.show({ kind: 'organise', chat: id })
      else void state.patchChat(id, { tags: [...new Set([...(chatOf(state)?.tags ?? []), ...tags])] })
    },
  },
  {
    id: 'export', title: 'Export as Markdown', icon: FileText, words: 'save download md', slash: { name: 'export', takes: 'md or json' }, when: kept,
    run: (state, format) => download(openId(state) ?? '', format === 'json' ? 'json' : 'md'),
  },
  { id: 'exportJson', title: 'Export as JSON', icon: FileJson, words: 'save download', when: kept, run: (state) => download(openId(state) ?? '', 'json') },
  {
    id: 'delete', title: 'Delete this conversation', icon: Trash2, words: 'remove', slash: { name: 'delete' }, when: kept,
    run: (state) => void state.removeChat(openId(state) ?? ''),
  },
  {
    id: 'answer', title: 'Answer her question', icon: MessageCircleQuestion, words: 'confirm approve allow deny permission', slash: { name: 'answer' },
    when: (state) => state.questions.length > 0,
    run: answerQuestion,
  },
  {
    id: 'pinned', title: 'Show what is pinned here', icon: PanelTop, words: 'widget map player', slash: { name: 'pinned' },
    when: (state) => pinnedHere(state).length > 0,
    run: (state) => state.showPin(pinnedHere(state)[0]?.act.id ?? null),
  },
  {
    id: 'memory', title: 'Memory', icon: Brain, words: 'facts knows remembers timeline files entries', keys: 'mod+shift+m', slash: { name: 'memory', takes: 'words' },
    run: (state, q) => {
      if (q !== '') void useMemoryStore.getState().openFacts({ q, category: '', status: 'current' })
      state.go({ page: 'memory' })
    },
  },
  {
    id: 'remember', title: 'Tell her something to remember', icon: NotebookPen, words: 'add fact note', slash: { name: 'remember', takes: 'what' },
    run: (state, content) => {
      if (content === '') state.show({ kind: 'addFact' })
      else void useMemoryStore.getState().rememberThis(content)
    },
  },
  {
    id: 'forget', title: 'Forget something', icon: Eraser, words: 'erase delete remove memory', slash: { name: 'forget', takes: 'words' },
    run: (_state, words) => void useMemoryStore.getState().askToForget({ words }),
  },
  {
    id: 'recall', title: 'See what she would remember', icon: Brain, words: 'memory test score', slash: { name: 'recall', takes: 'words' },
    run: (state, query) => {
      void useMemoryStore.getState().tryRecall(query)
      state.go({ page: 'memory', tab: 'recall' })
    },
  },
  {
    id: 'code', title: 'Code workspace', icon: CodeXml, words: 'files editor project program develop agent', keys: 'mod+shift+e', slash: { name: 'code', takes: 'what to do' },
    run: (state, text) => {
      if (text !== '') state.setText(state.codeChat ?? NEW_CODE, text)
      state.go({ page: 'code', ...(text !== '' ? { view: 'agent' } : {}) })
      if (text !== '') state.focusComposer()
    },
  },
  { id: 'openFolder', title: 'Open a folder of code', icon: FolderCode, words: 'workspace project root repository', run: (state) => state.show({ kind: 'openFolder' }) },
  { id: 'personality', title: 'Personality', icon: SlidersHorizontal, words: 'mood energy humor humour tone traits', slash: { name: 'personality' }, run: (state) => state.go({ page: 'personality' }) },
  { id: 'tools', title: 'Tools and permissions', icon: Wrench, words: 'allow ask block grants', slash: { name: 'tools' }, run: (state) => state.go({ page: 'tools' }) },
  { id: 'servers', title: 'Servers: tools from other programs', icon: Plug, words: 'mcp model context protocol sandbox connect', slash: { name: 'servers' }, run: (state) => state.go({ page: 'servers' }) },
  { id: 'addServer', title: 'Add a server', icon: Plug, words: 'mcp connect tools mcpServers json', run: (state) => state.show({ kind: 'addServer' }) },
  { id: 'skills', title: 'Skills', icon: BookOpen, words: 'instructions SKILL.md', slash: { name: 'skills' }, run: (state) => state.go({ page: 'skills' }) },
  {
    id: 'audit', title: 'What she did', icon: ScrollText, words: 'audit log history acts', slash: { name: 'audit', takes: 'words' },
    run: (state, q) => {
      void state.openAudit({ q, tool: '', decision: '' })
      state.go({ page: 'audit' })
    },
  },
  {
    id: 'cards', title: 'Hide or show finished steps', icon: ListChecks, words: 'tool cards appearance', slash: { name: 'steps' },
    run: (state) => state.hideCards(!state.cardsHidden),
  },
  { id: 'previous', title: 'Previous conversation', icon: ArrowUp, keys: 'alt+arrowup', run: (state) => step(state, -1) },
  { id: 'next', title: 'Next conversation', icon: ArrowDown, keys: 'alt+arrowdown', run: (state) => step(state, 1) },
  { id: 'sidebar', title: 'Show or hide the sidebar', icon: PanelLeft, keys: 'mod+b', slash: { name: 'sidebar' }, run: (state) => state.toggleSidebar() },
  { id: 'viewDev', title: 'View: desk', icon: LayoutPanelLeft, words: 'dev sidebar chats view', keys: 'alt+shift+1', run: (state) => state.setView('dev') },
  { id: 'viewUser', title: 'View: face to face', icon: ScanFace, words: 'user voice captions view', keys: 'alt+shift+2', run: (state) => state.setView('user') },
  { id: 'viewLuna', title: 'View: her screen', icon: Orbit, words: 'luna hud panels full screen view', keys: 'alt+shift+3', run: (state) => state.setView('luna') },
  {
    id: 'view', title: 'Change the view', icon: Orbit, words: 'dev user luna desk face screen hud', slash: { name: 'view', takes: 'dev, user or luna' },
    run: (state, name) => state.setView(viewNamed(name) ?? next(state.view)),
  },
  { id: 'tidy', title: 'Tidy up the panels', icon: WandSparkles, words: 'arrange layout hud', keys: 't', slash: { name: 'tidy' }, when: onHerScreen, run: (state) => state.tidyPanels() },
  { id: 'bare', title: 'Hide everything but her', icon: EyeOff, words: 'hud ui clean screenshot', keys: 'h', when: onHerScreen, run: (state) => state.hidePanels(!state.panelsHidden) },
  {
    id: 'all', title: 'Show all conversations', icon: Archive, words: 'folder tag filter clear',
    when: (state) => Boolean(state.filter.folder ?? state.filter.tag),
    run: (state) => state.setFilter({}),
  },
  {
    id: 'theme', title: 'Change the theme', icon: MoonStar, words: 'dark light system appearance', slash: { name: 'theme', takes: 'dark, light or system' },
    run: (state, theme) => {
      if (theme === 'dark' || theme === 'light' || theme === 'system') state.setTheme(theme)
      else state.go({ page: 'settings', section: 'appearance' })
    },
  },
  { id: 'dark', title: 'Dark theme', icon: Moon, words: 'night', run: (state) => state.setTheme('dark') },
  { id: 'light', title: 'Light theme', icon: Sun, words: 'day', run: (state) => state.setTheme('light') },
  { id: 'looks', title: 'Avatar and background', icon: PersonStanding, words: 'looks wear vrm avatar clothes colours palette picture sky animation quality', run: (state) => state.go({ page: 'settings', section: 'body' }) },
  {
    id: 'install', title: 'Install Perigee', icon: MonitorDown, words: 'app home screen pwa desktop', when: (state) => state.installing === 'offered',
    run: (state) => void state.install(),
  },
  {
    id: 'settings', title: 'Settings', icon: Settings, words: 'preferences config options', keys: 'mod+,', slash: { name: 'settings', takes: 'section' },
    run: (state, section) => state.go(section === '' ? { page: 'settings' } : { page: 'settings', section }),
  },
  { id: 'help', title: 'Shortcuts and commands', icon: CircleHelp, words: 'keyboard help', keys: '?', slash: { name: 'help' }, run: (state) => state.show({ kind: 'help' }) },
  { id: 'signOut', title: 'Sign out of this browser', icon: LogOut, words: 'logout', slash: { name: 'signout' }, run: (state) => void state.signOut() },
]

export function available(state: AppState): Action[] {
  return ACTIONS.filter((action) => action.when?.(state) ?? true)
}
