import type { ChatSummary, ConversationId } from '@/api/protocol.gen'
import type { ListFilter } from '@/api/chats'
import { period } from '@/design/format'

/** Compares by the order of the server's pages: pinned first, then newest first. */
function byRank(a: ChatSummary, b: ChatSummary): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1
  return a.id < b.id ? 1 : -1
}

/** Returns the list with these rows inserted, or moved to their new position. */
export function merged(list: ChatSummary[], rows: ChatSummary[]): ChatSummary[] {
  const fresh = new Map(rows.map((row) => [row.id, row]))
  return [...list.filter((row) => !fresh.has(row.id)), ...fresh.values()].sort(byRank)
}

export function without(list: ChatSummary[], id: ConversationId): ChatSummary[] {
  return list.filter((row) => row.id !== id)
}

/** Returns true if the row belongs in the filtered list; incognito conversations never do. */
export function belongs(row: ChatSummary, filter: ListFilter): boolean {
  return !row.incognito && (!filter.folder || row.folder === filter.folder) && (!filter.tag || row.tags.includes(filter.tag))
}

export type ListItem = { kind: 'heading'; text: string } | { kind: 'chat'; chat: ChatSummary }

/** Groups the rows under headings. */
export function groupedByPeriod(list: ChatSummary[], now: Date): ListItem[] {
  const items: ListItem[] = []
  let heading = ''
  for (const chat of list) {
    const text = chat.pinned ? 'Pinned' : period(chat.updatedAt, now)
    if (text !== heading) {
      items.push({ kind: 'heading', text })
      heading = text
    }
    items.push({ kind: 'chat', chat })
  }
  return items
}
