import type { ListFilter } from '@/api/chats'
import type { ChatPatch, ChatSummary, ConversationId, FolderCount, SearchHit, TagCount } from '@/api/protocol.gen'

export interface Search {
  query: string
  hits: SearchHit[]
  next: string | null
  state: 'idle' | 'looking' | 'done' | 'failed'
}

export interface ChatsSlice {
  chats: ChatSummary[]
  chatsNext: string | null
  chatsState: 'loading' | 'ready' | 'failed'
  folders: FolderCount[]
  tags: TagCount[]
  filter: ListFilter
  renaming: { id: ConversationId; where: 'list' | 'head' } | null
  search: Search
  /** The conversations whose replies are being written, including those started elsewhere. */
  running: Record<ConversationId, true>
  /** The conversations whose replies were finished while another one was open. */
  unread: Record<ConversationId, true>

  refreshChats: () => Promise<void>
  moreChats: () => Promise<void>
  setFilter: (filter: ListFilter) => void
  setSearch: (query: string) => void
  moreHits: () => Promise<void>
  rename: (target: ChatsSlice['renaming']) => void
  patchChat: (id: ConversationId, patch: ChatPatch) => Promise<void>
  removeChat: (id: ConversationId) => Promise<void>
  chatChanged: (chat: ChatSummary) => void
  /** Drops everything of a conversation except the draft, which reappears if the deletion is undone. */
  chatGone: (id: ConversationId) => void
  setRunning: (id: ConversationId, running: boolean) => void
}
