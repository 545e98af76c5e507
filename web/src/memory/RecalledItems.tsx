import { ArrowUpRight, Eraser, FileText, Layers, type LucideIcon, MessageSquare, NotebookText, Pencil, UserRound } from 'lucide-react'
import { useMemo } from 'react'
import type { MemoryItem, MemoryKind, ScorePart } from '@/api/protocol.gen'
import { since } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { withoutMarkdown } from '@/markdown/withoutMarkdown'
import { fragmentOf, type Route } from '@/shell/route'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { targetOf } from './forgetSlice'
import { OriginMark } from './OriginMark'
import { useMemoryStore } from './useMemoryStore'
import { KINDS, partName } from './wording'

const ICONS: Record<MemoryKind, LucideIcon> = { fact: UserRound, message: MessageSquare, summary: NotebookText, file: FileText, entry: Layers }

/** The recalled items, best first, each with its text, origin, score, and buttons to correct or forget it. */
export function RecalledItems({ items, parts = false }: { items: MemoryItem[]; parts?: boolean }) {
  const best = Math.max(...items.map(({ score }) => score), 0)
  return (
    <ul aria-label="What she remembered" className="flex flex-col">
      {items.map((item) => (
        <Item key={`${item.kind} ${item.id}`} item={item} best={best} parts={parts} />
      ))}
    </ul>
  )
}

/** Returns the page on which an item is shown in full, or null. */
function routeOf(item: MemoryItem): Route | null {
  if (item.conversationId) return item.messageId ? { page: 'chat', id: item.conversationId, message: item.messageId } : { page: 'chat', id: item.conversationId }
  if (item.kind === 'file') return { page: 'memory', tab: 'files', item: item.id }
  return item.kind === 'entry' ? { page: 'memory', tab: 'entries' } : null
}

/** Returns true if the text does not make clear who said it or whom it is about. */
function isUnnamed({ kind, who, text }: MemoryItem): boolean {
  return who !== '' && (kind !== 'fact' || !text.toLowerCase().includes(who.toLowerCase()))
}

interface ItemProps {
  item: MemoryItem
  best: number
  parts: boolean
}

function Item({ item, best, parts }: ItemProps) {
  const askToForget = useMemoryStore((state) => state.askToForget)
  const Icon = ICONS[item.kind] ?? UserRound
  const route = routeOf(item)
  const words = useMemo(() => plain(withoutMarkdown(item.text)), [item.text])
  return (
    <li className="group/item flex gap-3 py-2">
      <Icon size={15} className="mt-1 text-faint" aria-label={KINDS[item.kind] ?? 'memory'} role="img" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-4 text-13 wrap-anywhere whitespace-pre-line text-text" dir="auto">
          {isUnnamed(item) && <span className="text-muted">{plain(item.who)}: </span>}
          {words}
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-12/5 text-faint">
          <Score score={item.score} best={best} />
          {item.at && <span>{since(item.at, new Date())}</span>}
          {route && (
            <a href={fragmentOf(route)} className="flex min-w-0 items-center gap-0.5 text-muted underline decoration-hairline underline-offset-3 transition-colors hover:text-text pointer-coarse:py-1.5">
              <bdi className="max-w-56 truncate">{item.title ? plain(item.title) : item.kind === 'file' ? plain(item.id) : 'show in the conversation'}</bdi>
              <ArrowUpRight size={13} />
            </a>
          )}
          <OriginMark origins={item.origins} />
        </p>
        {parts && <Parts parts={item.parts} best={best} />}
      </div>
      <div className={classNames('flex shrink-0 items-start opacity-0 transition-opacity group-hover/item:opacity-100 focus-within:opacity-100 touch:opacity-100')}>
        {item.kind === 'fact' && (
          <IconButton size="small" label="Correct this" onClick={() => useStore.getState().go({ page: 'memory', tab: 'facts', item: item.id })}>
            <Pencil size={14} />
          </IconButton>
        )}
        <IconButton size="small" label="Forget this" onClick={() => void askToForget(targetOf(item))}>
          <Eraser size={14} />
        </IconButton>
      </div>
    </li>
  )
}

function Score({ score, best }: { score: number; best: number }) {
  const part = best > 0 ? Math.min(1, Math.max(0, score / best)) : 0
  return (
    <span className="flex items-center gap-1.5" title={`Score ${score.toFixed(3)}`}>
      <span aria-hidden="true" className="h-1 w-8 rounded-full bg-[color-mix(in_oklab,var(--text)_10%,transparent)]">
        <span className="block h-full rounded-full bg-muted" style={{ width: `${Math.max(4, part * 100)}%` }} />
      </span>
      <span className="sr-only">score </span>
      {score.toFixed(2)}
    </span>
  )
}

/** The parts that make up the score. */
function Parts({ parts, best }: { parts: ScorePart[]; best: number }) {
  if (parts.length === 0) return null
  return (
    <dl className="mt-1 flex flex-wrap gap-x-5 gap-y-1 text-12/5">
      {parts.map(({ name, value }, index) => (
        <div key={index} className="flex items-center gap-2">
          <dt className="text-faint">{partName(name)}</dt>
          <dd className="flex items-center gap-1.5 text-muted">
            {/* Relative to the best score, so that rows can be compared. */}
            <span aria-hidden="true" className="h-1 rounded-full bg-blue" style={{ width: best > 0 ? Math.min(64, Math.max(2, (Math.abs(value) / best) * 64)) : 2 }} />
            {value.toFixed(2)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
