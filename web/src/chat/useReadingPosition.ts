import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ConversationId } from '@/api/protocol.gen'
import { isStill } from '@/design/media'

/** The last scroll position of each conversation in each view, for the lifetime of the page. */
const left = new Map<string, number>()

/** The distance from the end, in pixels, below which the reader counts as being at the end. */
const AT_END = 48
/** The time after a wheel, touch or key event within which a scroll counts as the reader's own. */
const OWN_MS = 700

const ANCHORS = CSS.supports('overflow-anchor', 'auto')

interface Options {
  id: ConversationId | null
  /** The view that shows the conversation: line lengths differ between views. */
  view: string
  ready: boolean
  /** The first loaded message: changes when earlier ones are prepended. */
  firstKey: string | null
  /** Changes when the reader sends a message, which is then scrolled to the top of the view. */
  sentKey: string | null
}

interface ReadingPosition {
  /** True if there is text below the view. */
  below: boolean
  toEnd: () => void
}

/**
 * Keeps the reading position stable: arriving text does not move the view, unless the reader has scrolled to
 * the very end. A sent message is scrolled to the top once, with room below for the reply.
 */
export function useReadingPosition(
  scroller: RefObject<HTMLDivElement | null>,
  end: RefObject<HTMLDivElement | null>,
  { id, view: shownBy, ready, firstKey, sentKey }: Options,
): ReadingPosition {
  const spot = id === null ? null : `${shownBy} ${id}`
  const [below, setBelow] = useState(false)
  const held = useRef<Held>({ follows: false, placed: null, height: 0 })

  const contentEnd = useCallback(() => {
    const view = scroller.current
    if (!view || !end.current) return 0
    return end.current.getBoundingClientRect().bottom - view.getBoundingClientRect().top + view.scrollTop
  }, [scroller, end])

  const toEnd = useCallback(() => {
    const view = scroller.current
    if (!view) return
    held.current.follows = true
    view.scrollTo({ top: contentEnd() - view.clientHeight + 24, behavior: motion() })
  }, [scroller, contentEnd])

  // An opened conversation shows its last position, or its end.
  useLayoutEffect(() => {
    const view = scroller.current
    if (!view || !ready || held.current.placed === id) return
    held.current.placed = id
    held.current.follows = false
    view.scrollTop = (spot !== null ? left.get(spot) : undefined) ?? view.scrollHeight
  }, [scroller, id, spot, ready])

  useEarlierKept(scroller, held, id, firstKey)
  useSentOnTop(scroller, held, sentKey)

  useEffect(() => {
    const view = scroller.current
    if (view) return watchReader(view, held.current, { id, spot }, () => contentEnd() - view.scrollTop - view.clientHeight, setBelow)
  }, [scroller, contentEnd, id, spot, ready])

  return { below, toEnd }
}

/** State of the view between two layouts. */
interface Held {
  /** True if the reader has scrolled to the end and follows it. */
  follows: boolean
  /** The conversation whose scroll position has been set. */
  placed: ConversationId | null
  /** The height of the content at the last layout, measured when that costs nothing. */
  height: number
}

/** Keeps the view in place when earlier messages are prepended. */
function useEarlierKept(scroller: RefObject<HTMLDivElement | null>, held: RefObject<Held>, id: ConversationId | null, firstKey: string | null): void {
  const first = useRef<string | null>(null)
  useLayoutEffect(() => {
    const view = scroller.current
    const before = first.current
    first.current = firstKey
    if (!view || before === null || before === firstKey || held.current.placed !== id) return
    // Browsers with scroll anchoring do this themselves, except at the very top.
    if (ANCHORS && view.scrollTop > 0) return
    view.scrollTop += view.scrollHeight - held.current.height
  }, [scroller, held, id, firstKey])
}

function useSentOnTop(scroller: RefObject<HTMLDivElement | null>, held: RefObject<Held>, sentKey: string | null): void {
  // A message sent before this view was mounted is not scrolled to again.
  const sent = useRef<string | null>(sentKey)
  useLayoutEffect(() => {
    if (sentKey === null || sentKey === sent.current) return
    sent.current = sentKey
    held.current.follows = false
    const target = scroller.current?.querySelector<HTMLElement>('[data-last-turn]')
    if (target) scroller.current?.scrollTo({ top: target.offsetTop - 12, behavior: motion() })
  }, [scroller, held, sentKey])
}

/** Tracks the reader's scrolling, and the growth of the content and of the view. */
function watchReader(view: HTMLElement, held: Held, { id, spot }: { id: ConversationId | null; spot: string | null }, distance: () => number, onBelow: (below: boolean) => void): () => void {
  let own = 0
  const touched = () => {
    own = performance.now()
  }
  const measure = () => {
    const far = distance()
    onBelow(far > AT_END)
    return far
  }
  let room = view.clientHeight
  let before = measure()
  const scrolled = () => {
    before = measure()
    if (performance.now() - own < OWN_MS) held.follows = before > -AT_END && before < AT_END
    if (spot !== null && held.placed === id) left.set(spot, view.scrollTop)
  }
  const grown = new ResizeObserver(() => {
    // A growing composer shrinks the view, so a reader at the end is kept there.
    const lost = room - view.clientHeight
    if (lost !== 0 && Math.abs(before) < AT_END) view.scrollTop += lost
    room = view.clientHeight
    held.height = view.scrollHeight
    const far = measure()
    if (held.follows && far > 0) view.scrollTop += far + 24
    before = measure()
  })
  if (view.firstElementChild) grown.observe(view.firstElementChild)
  grown.observe(view)
  const signs = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
  for (const sign of signs) view.addEventListener(sign, touched, { passive: true })
  view.addEventListener('scroll', scrolled, { passive: true })
  return () => {
    grown.disconnect()
    for (const sign of signs) view.removeEventListener(sign, touched)
    view.removeEventListener('scroll', scrolled)
  }
}

function motion(): ScrollBehavior {
  return isStill() ? 'auto' : 'smooth'
}
