import { open, query, request } from './http'
import type {
  AttachmentId,
  ChatList,
  ChatPatch,
  ChatSummary,
  ChatView,
  ConversationId,
  MessageId,
  NewChatRequest,
  SearchResults,
} from './protocol.gen'

export interface ListFilter {
  folder?: string | null
  tag?: string | null
}

export function listChats(filter: ListFilter, cursor: string | null, limit: number): Promise<ChatList> {
  return request('GET', `/api/chats${query({ limit, cursor, folder: filter.folder, tag: filter.tag })}`)
}

export function searchChats(q: string, cursor: string | null, limit: number, signal: AbortSignal): Promise<SearchResults> {
  return request('GET', `/api/chats/search${query({ q, limit, cursor })}`, { signal })
}

export function newChat(body?: NewChatRequest): Promise<ChatSummary> {
  return request('POST', '/api/chats/new', { body })
}

/** Opens a conversation: messages sent without an id go to it from then on. */
export function loadChat(id: ConversationId): Promise<ChatView> {
  return request('POST', '/api/chats/load', { body: { id } })
}

/** Fetches a page of messages without opening the conversation. */
export function readChat(id: ConversationId, before?: MessageId): Promise<ChatView> {
  return request('GET', `/api/chats/${id}${query({ before })}`)
}

export function patchChat(id: ConversationId, patch: ChatPatch): Promise<ChatSummary> {
  return request('PATCH', `/api/chats/${id}`, { body: patch })
}

export function deleteChat(id: ConversationId, options: { keepalive?: boolean } = {}): Promise<void> {
  return request('DELETE', `/api/chats/${id}`, options)
}

export function restoreChat(id: ConversationId): Promise<ChatSummary> {
  return request('POST', `/api/chats/${id}/restore`)
}

export function showBranch(id: ConversationId, messageId: MessageId): Promise<ChatView> {
  return request('POST', `/api/chats/${id}/branch`, { body: { messageId } })
}

export type ExportFormat = 'md' | 'json'

export function chatExportAddress(id: ConversationId, format: ExportFormat): string {
  return `/api/chats/${id}/export${query({ format })}`
}

export function attachmentAddress(id: AttachmentId): string {
  return `/api/attachments/${id}`
}

/** Fetches the bytes of a stored file. */
export async function readAttachment(id: AttachmentId): Promise<Blob> {
  const response = await open('GET', attachmentAddress(id), { headers: { accept: '*/*' } })
  return response.blob()
}
