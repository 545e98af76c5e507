import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWindowed } from '@/chats/useWindowed'

/** More is asked for this many rows before the end comes into sight. */
const AHEAD = 30

export interface RowPlace {
  /** The one row that Tab leads to; the arrows lead to the others. */
  tabbable: boolean
}

interface Props<T extends { id: string }> {
  label: string
  items: T[]
  /** Of a row that was not seen yet. */
  estimate: number
  /** A row that is kept while it is out of sight, with what was typed in it. */
  open: string | null
  row: (item: T, place: RowPlace) => ReactNode
  onKey: (event: KeyboardEvent, item: T) => void
  onEnd: () => void
}

/** A list of any length and with rows of any height, of which only what is seen is drawn. Each row has one `[data-row]`, which takes the focus. */
export function LongList<T extends { id: string }>({ label, items, estimate, open, row, onKey, onEnd }: Props<T>) {
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
  // A row that lies far away is drawn first, and then takes the focus.
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

/** Gives the focus to a row. False while it is not drawn. */
function focusRow(within: ParentNode | null, id: string): boolean {
  const row = [...(within?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].find((drawn) => drawn.dataset['row'] === id)
  row?.focus()
  return row !== undefined
}

/** Back to the row of what was edited in place, as soon as it is a line again. */
export function returnToRow(id: string): void {
  requestAnimationFrame(() => focusRow(document, id))
}

/** The height of each row as it was last seen. */
function useHeights(items: { id: string }[], estimate: number) {
  const [seen, setSeen] = useState<ReadonlyMap<string, number>>(() => new Map())
  const [watch] = useState(() => {
    const observer = new ResizeObserver((changes) =>
      setSeen((before) => {
        const after = new Map(before)
        for (const { target } of changes) {
          const { item } = (target as HTMLElement).dataset
          const { offsetHeight } = target as HTMLElement
          // One that is kept out of sight has no height.
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
