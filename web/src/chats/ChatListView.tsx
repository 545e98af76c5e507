import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '@/design/Button'
import { useStore } from '@/store'
import { ChatRow } from './ChatRow'
import { groupedByPeriod } from './order'
import { useWindowed } from './useWindowed'

const HEADING = 36
const ROW = { fine: 34, coarse: 44 }

/** The distance in pixels from the end of the list at which the next page is requested. */
const AHEAD = 1200

export function ChatListView() {
  const empty = useStore((state) => state.chats.length === 0)
  const listState = useStore((state) => state.chatsState)
  const filtered = useStore((state) => Boolean(state.filter.folder ?? state.filter.tag))
  return empty ? <Nothing state={listState} filtered={filtered} /> : <Rows />
}

/**
 * The rows with their scroller. Both mount together, so that the scroll listener is always attached to the
 * current element.
 */
function Rows() {
  const chats = useStore((state) => state.chats)
  const more = useStore((state) => state.chatsNext !== null)
  const openChat = useStore((state) => (state.route.page === 'chat' ? state.route.id : null))
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)

  const rowHeight = window.matchMedia('(pointer: coarse)').matches ? ROW.coarse : ROW.fine
  const items = useMemo(() => groupedByPeriod(chats, new Date()), [chats])
  const heights = useMemo(() => items.map((item) => (item.kind === 'heading' ? HEADING : rowHeight)), [items, rowHeight])
  const { offsets, first, end } = useWindowed(scroller, heights)
  const total = offsets.at(-1) ?? 0

  useEffect(() => {
    const element = scroller.current
    if (!element || !more) return
    const check = () => {
      if (element.scrollTop + element.clientHeight > total - AHEAD) void useStore.getState().moreChats()
    }
    check()
    element.addEventListener('scroll', check, { passive: true })
    return () => element.removeEventListener('scroll', check)
  }, [more, total])

  const firstChat = chats[0]?.id ?? null
  const tabStop = [focused, openChat, firstChat].find((id) => id !== null && chats.some((chat) => chat.id === id)) ?? null

  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0 || !(event.target instanceof HTMLElement) || !event.target.matches('[data-row]')) return
    event.preventDefault()
    const index = chats.findIndex((chat) => chat.id === tabStop) + by
    const next = chats[index]
    if (!next) return
    setFocused(next.id)
    const at = items.findIndex((item) => item.kind === 'chat' && item.chat.id === next.id)
    reveal(scroller.current, offsets[at] ?? 0, rowHeight)
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus())
  }

  return (
    <div ref={scroller} className="list-fade min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-6" onKeyDown={move}>
      <ul className="relative" style={{ height: total }} aria-label="Conversations">
        {items.slice(first, end).map((item, offset) => {
          const index = first + offset
          const top = offsets[index] ?? 0
          if (item.kind === 'heading') {
            return (
              <li key={`heading ${item.text}`} className="absolute inset-x-0 flex items-end px-2.5 pb-1.5" style={{ top, height: HEADING }}>
                <h2 className="text-12 text-faint">{item.text}</h2>
              </li>
            )
          }
          return (
            <li key={item.chat.id} className="absolute inset-x-0 py-px" style={{ top, height: rowHeight }}>
              <ChatRow chat={item.chat} open={item.chat.id === openChat} tabbable={item.chat.id === tabStop} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function reveal(scroller: HTMLElement | null, top: number, height: number): void {
  if (!scroller) return
  if (top < scroller.scrollTop) scroller.scrollTop = top - 8
  const bottom = top + height - scroller.clientHeight
  if (bottom > scroller.scrollTop) scroller.scrollTop = bottom + 8
}

function Nothing({ state, filtered }: { state: 'loading' | 'ready' | 'failed'; filtered: boolean }) {
  if (state === 'loading') return <div className="flex-1" aria-busy="true" />
  const words =
    state === 'failed'
      ? 'Your chats could not be loaded.'
      : filtered
        ? 'Nothing here yet. Move a chat here from its menu.'
        : 'Your chats appear here.'
  return (
    <div className="flex-1 px-4.5 pt-6 text-13 text-faint">
      <p>{words}</p>
      {state === 'failed' && (
        <Button variant="raised" className="mt-3" onClick={() => void useStore.getState().refreshChats()}>
          Try again
        </Button>
      )}
    </div>
  )
}
