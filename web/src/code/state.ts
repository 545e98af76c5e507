import type { ProposalStep } from '@/api/code'
import type {
  ApplyMode,
  Checkpoint,
  CodeFile,
  CodeFileView,
  CodeHistory,
  CodeMode,
  CodeRoot,
  ConversationId,
  FolderList,
  IndexState,
  Proposal,
  ProposalId,
  ToolStatus,
} from '@/api/protocol.gen'
import type { Route } from '@/shell/route'
import type { Slice } from '@/store/slice'
import type { Choices, Edits } from './choices'
import type { CodeRequestOptions, StageResult } from './runs'
import type { CodeServices } from './services'
import type { WorkspacePush } from './workspacePush'
import type { Tree } from './tree'

/** The folders opened in the workspace. */
export interface RootSlice {
  /** Null until it is loaded. */
  roots: CodeRoot[] | null
  /** The folder shown by this page. The server's current one may differ if another page has switched. */
  root: string | null
  rootsTrouble: string | null
  /** The folder being opened. */
  opening: string | null
  /** The reason why opening failed. */
  openTrouble: string | null

  refreshRoots: () => Promise<void>
  /** Opens a folder. Returns true on success. */
  openFolder: (path: string) => Promise<boolean>
  forgetFolder: (path: string) => Promise<void>
  /** Sets the paths that the agent may change; none means all. */
  include: (paths: string[]) => Promise<boolean>
  indexed: (root: string, index: IndexState) => void
  dropOpenTrouble: () => void
}

/** The folder browser, used to choose a folder of the machine. */
export interface FolderBrowserSlice {
  /** The current folder, or null until it is loaded. */
  browsedFolder: FolderList | null
  browseTrouble: string | null
  /** The folder being loaded. */
  browsing: string | null

  /** Opens a folder; without a path, the user's home folder. */
  browseTo: (path?: string) => Promise<void>
}

/** The files of the folder, and the expanded part of its tree. */
export interface FileSlice {
  files: CodeFile[] | null
  paths: ReadonlySet<string>
  tree: Tree
  /** True if there are more files than the server lists. */
  moreFiles: boolean
  filesTrouble: string | null
  openFolders: ReadonlySet<string>
  filter: string
  /** The files selected so far while the user chooses which ones the agent may change; otherwise null. */
  choosing: string[] | null

  refreshFiles: () => Promise<void>
  setFolder: (path: string, open: boolean) => void
  /** Expands the folders above the path. */
  reveal: (path: string) => void
  setFilter: (filter: string) => void
  beginChoosing: () => void
  tick: (path: string) => void
  chooseAll: () => void
  endChoosing: (how: 'keep' | 'drop') => Promise<void>
}

/** A tab of the centre pane. */
export type WorkspaceTab = { kind: 'file'; path: string } | { kind: 'review'; id: ProposalId } | { kind: 'history' }

export interface TabSlice {
  tabs: WorkspaceTab[]
  /** The key of the current tab. */
  tab: string | null
  /** The line to jump to, and a counter, since the same line may be requested twice. */
  jump: { path: string; line: number; wish: number } | null

  /** Shows the target of the address. */
  openRoute: (route: Extract<Route, { page: 'code' }>) => void
  closeTab: (key: string) => void
  /** Moves to the next or the previous tab. */
  stepTab: (by: 1 | -1) => void
}

/** Unsaved content of the editor; its text is built only on demand. */
export interface UnsavedText {
  text: () => string
}

/** An open file. */
export interface Buffer {
  /** The file as last read or saved, or null until it is loaded. */
  file: CodeFileView | null
  /** The unsaved content, or null if there is none. */
  unsaved: UnsavedText | null
  /** The reason why reading failed, and whether a retry may help. */
  trouble: { text: string; again: boolean } | null
  saving: boolean
  /** The file as changed on the disk meanwhile. With `theirs: null` it was deleted. */
  conflict: { theirs: CodeFileView | null } | null
}

export type Buffers = Record<string, Buffer>

export interface BufferSlice {
  /** The buffers of the current folder. */
  buffers: Buffers
  /** The unsaved buffers of other folders, by folder. */
  otherBuffers: Record<string, Buffers>

  readBuffer: (path: string) => Promise<void>
  /** Sets the unsaved content; null if it equals the file on the disk. */
  setUnsaved: (path: string, written: UnsavedText | null) => void
  save: (path: string) => Promise<void>
  /** Resolves a conflict by overwriting the version on the disk. */
  keepMine: (path: string) => Promise<void>
  /** Resolves a conflict by discarding the unsaved content. */
  takeTheirs: (path: string) => void
  dropBuffer: (path: string) => void
  /** Reads the files again: unedited ones are updated, edited ones get a conflict. */
  refreshBuffers: () => Promise<void>
}

/** A proposal under review. */
export interface Review {
  /** Null until it is loaded. */
  proposal: Proposal | null
  trouble: string | null
  choices: Choices
  edits: Edits
  /** The key of the current change. */
  at: string | null
  busy: ProposalStep | 'apply' | null
  /** The reason why the last step failed. */
  refusal: string | null
}

export interface ReviewSlice {
  /** The proposals of the folder, newest first, without their diffs. */
  proposals: Proposal[] | null
  reviews: Record<ProposalId, Review>

  refreshProposals: () => Promise<void>
  /** Loads a proposal that is not known yet, of whichever folder. */
  knowProposal: (id: ProposalId) => Promise<void>
  openReview: (id: ProposalId) => Promise<void>
  refreshReviews: () => Promise<void>
  goToChange: (id: ProposalId, key: string) => void
  /** Moves to the next change, or the previous one. */
  stepChange: (id: ProposalId, by: 1 | -1) => void
  /** Accepts or skips a change, and moves on to the next. */
  decide: (id: ProposalId, key: string, answer: 'yes' | 'no') => void
  /** Replaces the lines of a hunk, which is thereby accepted. Null restores the model's text. */
  rewrite: (id: ProposalId, key: string, text: string | null) => void
  /** Switches all changes of a file between accepted and skipped. */
  decideFile: (id: ProposalId, path: string) => void
  apply: (id: ProposalId) => Promise<void>
  stepReview: (id: ProposalId, step: ProposalStep) => Promise<void>
}

/** A command and its output. */
export interface TerminalCommand {
  id: number
  /** The folder in which it runs. */
  root: string | null
  command: string
  status: ToolStatus | 'stopped'
  /** The raw output; if it is long, only its end. */
  output: string
  ms: number | null
  /** The conversation of its confirmation requests. */
  chat: ConversationId | null
}

export interface TerminalSlice {
  commands: TerminalCommand[]
  /** The commands run before, newest first. */
  commandHistory: string[]

  runCommand: (command: string) => Promise<void>
  stopCommand: () => void
  clearTerminal: () => void
}

/** A run of building and testing, in progress or finished. */
export interface CheckRun {
  running: boolean
  stages: StageResult[]
  trouble: string | null
  /** The result in one sentence. */
  summary: string
  /** The id of the last terminal command before it, or 0 if there was none. */
  after: number
  /** The conversation of its confirmation requests. */
  chat: ConversationId | null
}

/** The key of the check without any proposal, on the files as they are. */
export const AS_IS = ''

export interface VerifySlice {
  /** The checks by proposal, with `AS_IS` for the files as they are. */
  checks: Record<ProposalId, CheckRun>

  verify: (proposal: ProposalId | typeof AS_IS) => Promise<void>
  stopVerify: (proposal: ProposalId | typeof AS_IS) => void
}

/** The history of the folder, with its checkpoints. */
export interface HistorySlice {
  history: CodeHistory | null
  historyTrouble: string | null
  /** The checkpoint being restored. */
  restoring: string | null

  refreshHistory: () => Promise<void>
  restore: (checkpoint: Checkpoint) => Promise<void>
}

export type DiffView = 'unified' | 'split'

/** The layout and the settings of the workspace in this browser. */
export interface LayoutSlice {
  agentShown: boolean
  agentWidth: number
  terminalShown: boolean
  terminalHeight: number
  diffView: DiffView
  /** The open quick picker. */
  picker: 'file' | 'symbol' | null
  mode: CodeMode
  applyMode: ApplyMode
  /** True if the file in view is attached to requests. */
  focusing: boolean
  /** A counter, increased when the command line should take the focus. */
  terminalFocus: number

  showAgent: (shown: boolean) => void
  showTerminal: (shown: boolean) => void
  setAgentWidth: (width: number) => void
  setTerminalHeight: (height: number) => void
  setDiffView: (view: DiffView) => void
  pick: (picker: LayoutSlice['picker']) => void
  setMode: (mode: CodeMode) => void
  setApplyMode: (landing: ApplyMode) => void
  setFocusing: (focusing: boolean) => void
}

/** What concerns the workspace as a whole. */
export interface WorkspaceSlice {
  /** Switches to another folder, or to none, and drops the state of the previous one. */
  enterRoot: (root: string | null) => void
  refreshAll: () => Promise<void>
  receive: (push: WorkspacePush) => void
  /** Sends a request about the code. */
  ask: (text: string, more?: Partial<CodeRequestOptions>) => void
}

export type CodeState = RootSlice & FolderBrowserSlice & FileSlice & TabSlice & BufferSlice & ReviewSlice & TerminalSlice & VerifySlice & HistorySlice & LayoutSlice & WorkspaceSlice

/** A part of the workspace's store. Its parts depend on each other, since they show the same folder. */
export type CodeSliceOf<Own> = (services: CodeServices) => Slice<Own, CodeState>
