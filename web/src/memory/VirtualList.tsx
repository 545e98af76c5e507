import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWindowed } from '@/chats/useWindowed'

/** The number of rows before the end at which more are requested. */
const AHEAD = 30

export interface RowPlace {
  /** True for the one row that Tab reaches; the arrow keys reach the others. */
  tabbable: boolean
}

interface Props<T extends { id: string }> {
  label: string
  items: T[]
  /** The height in pixels of a row that has not been measured yet. */
  estimate: number
  /** The row that stays mounted while out of sight, to keep the text typed in it. */
  open: string | null
  row: (item: T, place: RowPlace) => ReactNode
  onKey: (event: KeyboardEvent, item: T) => void
  onEnd: () => void
}

/**
 * A virtualised list with rows of any height. Each row has one `[data-row]` element, which takes the focus.
 */
export function VirtualList<T extends { id: string }>({ label, items, estimate, open, row, onKey, onEnd }: Props<T>) {
  const list = useRef<HTMLUListElement>(null)
  const scroller = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    scroller.current = list.current?.closest<HTMLElement>('[data-testid=page]') ?? null
  }, [])
  const { heights, measure } = useHeights(items, estimate)
  const { offsets, first, end } = useWindowed(scroller, heights, list)
  const wanted = useRef<string | null>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const tabStop = items.some(({ id }) => id === focused) ? focused : (items[0]?.id ?? null)

  const near = end >= items.length - AHEAD
  useEffect(() => {
    if (near) onEnd()
  }, [near, items.length, onEnd])

  const press = (event: KeyboardEvent) => {
    const target = event.target
    if (!(target instanceof HTMLElement) || !target.matches('[data-row]')) return
    const at = items.findIndex(({ id }) => id === target.dataset['row'])
    const item = items[at]
    if (!item) return
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
    if (to === undefined) {
      onKey(event, item)
      return
    }
    event.preventDefault()
    const next = items[to]
    if (!next) return
    wanted.current = next.id
    setFocused(next.id)
    if (to < first || to >= end) scroller.current?.scrollTo({ top: offsets[to] ?? 0 })
  }
  // A distant row is rendered first and then focused.
  useLayoutEffect(() => {
    if (wanted.current !== null && focusRow(list.current, wanted.current)) wanted.current = null
  })

  const opened = items.findIndex(({ id }) => id === open)
  const drawn = items.slice(first, end).map((item, index) => ({ item, at: first + index }))
  if (opened >= 0 && opened < first) drawn.unshift({ item: items[opened] as T, at: opened })
  if (opened >= end) drawn.push({ item: items[opened] as T, at: opened })
  return (
    <ul
      ref={list}
      aria-label={label}
      onKeyDown={press}
      onFocus={(event) => {
        const id = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-item]')?.dataset['item'] : undefined
        if (id) setFocused(id)
      }}
      style={{ paddingTop: offsets[first] ?? 0, paddingBottom: (offsets.at(-1) ?? 0) - (offsets[end] ?? 0) }}
    >
      {drawn.map(({ item, at }) => (
        <li key={item.id} ref={measure} data-item={item.id} hidden={at < first || at >= end} aria-setsize={items.length} aria-posinset={at + 1}>
          {row(item, { tabbable: item.id === tabStop })}
        </li>
      ))}
    </ul>
  )
}

/** Focuses a row. Returns false if it is not rendered. */
function focusRow(within: ParentNode | null, id: string): boolean {
  const row = [...(within?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].find((drawn) => drawn.dataset['row'] === id)
  row?.focus()
  return row !== undefined
}

/** Returns the focus to a row once its inline editor is closed. */
export function returnToRow(id: string): void {
  requestAnimationFrame(() => focusRow(document, id))
}

/** Tracks the last measured height of each row. */
function useHeights(items: { id: string }[], estimate: number) {
  const [seen, setSeen] = useState<ReadonlyMap<string, number>>(() => new Map())
  const [watch] = useState(() => {
    const observer = new ResizeObserver((changes) =>
      setSeen((before) => {
        const after = new Map(before)
        for (const { target } of changes) {
          const { item } = (target as HTMLElement).dataset
          const { offsetHeight } = target as HTMLElement
          // A hidden row has no height.
          if (item && offsetHeight > 0) after.set(item, offsetHeight)
        }
        return after
      }),
    )
    return (row: HTMLLIElement | null) => {
      if (!row) return
      observer.observe(row)
      return () => observer.unobserve(row)
    }
  })
  const heights = useMemo(() => items.map(({ id }) => seen.get(id) ?? estimate), [items, seen, estimate])
  return { heights, measure: watch }
}
