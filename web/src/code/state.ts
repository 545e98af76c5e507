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
import type { CodeOrder, Stage } from './runs'
import type { CodeServices } from './services'
import type { WorkspacePush } from './told'
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
export interface PlaceSlice {
  /** The current folder, or null until it is loaded. */
  place: FolderList | null
  placeTrouble: string | null
  /** The folder being loaded. */
  walking: string | null

  /** Opens a folder; without a path, the user's home folder. */
  walkTo: (path?: string) => Promise<void>
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
export type Tab = { kind: 'file'; path: string } | { kind: 'review'; id: ProposalId } | { kind: 'history' }

export interface TabSlice {
  tabs: Tab[]
  /** The key of the current tab. */
  tab: string | null
  /** The line to jump to, and a counter, since the same line may be requested twice. */
  jump: { path: string; line: number; wish: number } | null

  /** Shows the target of the address. */
  arrive: (route: Extract<Route, { page: 'code' }>) => void
  closeTab: (key: string) => void
  /** Moves to the next or the previous tab. */
  stepTab: (by: 1 | -1) => void
}

/** Unsaved content of the editor; its text is built only on demand. */
export interface Written {
  text: () => string
}

/** An open file. */
export interface Buffer {
  /** The file as last read or saved, or null until it is loaded. */
  file: CodeFileView | null
  /** The unsaved content, or null if there is none. */
  written: Written | null
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
  left: Record<string, Buffers>

  readBuffer: (path: string) => Promise<void>
  /** Sets the unsaved content; null if it equals the file on the disk. */
  write: (path: string, written: Written | null) => void
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
  lookAt: (id: ProposalId, key: string) => void
  /** Moves to the next change, or the previous one. */
  stepChange: (id: ProposalId, by: 1 | -1) => void
  /** Accepts or skips a change, and moves on to the next. */
  say: (id: ProposalId, key: string, answer: 'yes' | 'no') => void
  /** Replaces the lines of a hunk, which is thereby accepted. Null restores the model's text. */
  rewrite: (id: ProposalId, key: string, text: string | null) => void
  /** Switches all changes of a file between accepted and skipped. */
  sayFile: (id: ProposalId, path: string) => void
  apply: (id: ProposalId) => Promise<void>
  stepReview: (id: ProposalId, step: ProposalStep) => Promise<void>
}

/** A command and its output. */
export interface Command {
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
  commands: Command[]
  /** The commands run before, newest first. */
  typed: string[]

  runCommand: (command: string) => Promise<void>
  stopCommand: () => void
  clearTerminal: () => void
}

/** A run of building and testing, in progress or finished. */
export interface Check {
  running: boolean
  stages: Stage[]
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
  checks: Record<ProposalId, Check>

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
  landing: ApplyMode
  /** True if the file in view is attached to requests. */
  focusing: boolean
  /** A counter, increased when the command line should take the focus. */
  terminalCall: number

  showAgent: (shown: boolean) => void
  showTerminal: (shown: boolean) => void
  setAgentWidth: (width: number) => void
  setTerminalHeight: (height: number) => void
  setDiffView: (view: DiffView) => void
  pick: (picker: LayoutSlice['picker']) => void
  setMode: (mode: CodeMode) => void
  setLanding: (landing: ApplyMode) => void
  setFocusing: (focusing: boolean) => void
}

/** What concerns the workspace as a whole. */
export interface WholeSlice {
  /** Switches to another folder, or to none, and drops the state of the previous one. */
  enterRoot: (root: string | null) => void
  refreshAll: () => Promise<void>
  receive: (push: WorkspacePush) => void
  /** Sends a request about the code. */
  ask: (text: string, more?: Partial<CodeOrder>) => void
}

export type CodeState = RootSlice & PlaceSlice & FileSlice & TabSlice & BufferSlice & ReviewSlice & TerminalSlice & VerifySlice & HistorySlice & LayoutSlice & WholeSlice

/** A part of the workspace's store. Its parts depend on each other, since they show the same folder. */
export type CodeSliceOf<Own> = (services: CodeServices) => Slice<Own, CodeState>
