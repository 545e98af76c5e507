import { ArrowLeftRight, BadgeCheck, FileSearch, FolderCode, GitPullRequestArrow, History, ListTree, type LucideIcon, MessageCircle, MessageSquarePlus, Save, SquareTerminal, X } from 'lucide-react'
import { useStore } from '@/store'
import { toPane, WIDE } from './panes'
import { openProposal } from './reviewSlice'
import { AS_IS } from './state'
import type { CodeState } from './state'
import { useCodeStore } from './useCodeStore'
import { fileInView } from './tabSlice'

/** An action of the workspace, defined once for the palette, the shortcuts and the help sheet. */
export interface WorkspaceAction {
  id: string
  title: string
  icon: LucideIcon
  words: string
  keys?: string
  when?: (state: CodeState) => boolean
  run: (state: CodeState) => void
}

const hasRoot = (state: CodeState) => state.root !== null
const hasFile = (state: CodeState) => hasRoot(state) && fileInView(state) !== null

export const WORKSPACE_ACTIONS: WorkspaceAction[] = [
  { id: 'findFile', title: 'Go to a file', icon: FileSearch, words: 'open find quick name', keys: 'mod+p', when: hasRoot, run: (state) => state.pick('file') },
  { id: 'findSymbol', title: 'Go to a symbol of this file', icon: ListTree, words: 'outline function class jump', keys: 'mod+;', when: hasFile, run: (state) => state.pick('symbol') },
  {
    id: 'save', title: 'Save this file', icon: Save, words: 'write disk', keys: 'mod+s', when: hasFile,
    run: (state) => void state.save(fileInView(state) ?? ''),
  },
  {
    id: 'askCode', title: 'Ask her about the code', icon: MessageCircle, words: 'agent panel luna composer', keys: 'mod+i', when: hasRoot,
    run: () => {
      toPane('agent')
      useStore.getState().focusComposer()
    },
  },
  {
    id: 'newCodeChat', title: 'New conversation about the code', icon: MessageSquarePlus, words: 'agent clear start over', when: hasRoot,
    run: () => {
      useStore.getState().showCodeChat(null)
      useStore.getState().focusComposer()
    },
  },
  {
    id: 'review', title: 'Review what she would change', icon: GitPullRequestArrow, words: 'proposal diff apply accept reject hunk', when: (state) => openProposal(state.proposals) !== null,
    run: (state) => {
      const id = openProposal(state.proposals)?.id
      if (id) useStore.getState().go({ page: 'code', view: 'review', item: id })
    },
  },
  {
    id: 'verify', title: 'Build and test', icon: BadgeCheck, words: 'check verify run tests', when: hasRoot,
    run: (state) => {
      toPane('terminal')
      void state.verify(AS_IS)
    },
  },
  {
    id: 'terminal', title: 'Show or hide the terminal', icon: SquareTerminal, words: 'command shell run output', keys: 'mod+j', when: hasRoot,
    run: (state) => {
      if (state.terminalShown && window.matchMedia(WIDE).matches) state.showTerminal(false)
      else toPane('terminal')
    },
  },
  { id: 'agentPanel', title: 'Show or hide the conversation', icon: ArrowLeftRight, words: 'agent panel side', keys: 'mod+shift+b', when: hasRoot, run: (state) => state.showAgent(!state.agentShown) },
  { id: 'history', title: 'History of this folder', icon: History, words: 'history checkpoints notes undo restore', when: hasRoot, run: () => useStore.getState().go({ page: 'code', view: 'history' }) },
  {
    id: 'include', title: 'Choose what she may change', icon: FolderCode, words: 'include exclude folders tick scope', when: hasRoot,
    run: (state) => {
      toPane('files')
      state.beginChoosing()
    },
  },
  { id: 'closeTab', title: 'Close this tab', icon: X, words: 'editor file', when: (state) => state.tab !== null, run: (state) => state.closeTab(state.tab ?? '') },
  { id: 'nextTab', title: 'Next tab', icon: ArrowLeftRight, words: 'switch editor', when: (state) => state.tabs.length > 1, run: (state) => state.stepTab(1) },
]

export function workspaceActions(): WorkspaceAction[] {
  const state = useCodeStore.getState()
  return WORKSPACE_ACTIONS.filter((action) => action.when?.(state) ?? true)
}
