import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ConversationId } from '@/api/protocol.gen'
import { isStill } from '@/design/media'

/** Where each conversation was left, in each view of it, while the page lives. */
const left = new Map<string, number>()

/** Closer than this to the end counts as being there. */
const AT_END = 48
/** A scroll this soon after a wheel, a finger or a key is the reader's own. */
const OWN_MS = 700

const ANCHORS = CSS.supports('overflow-anchor', 'auto')

interface Options {
  id: ConversationId | null
  /** The view that shows it: each has lines of another length. */
  view: string
  ready: boolean
  /** The first message that is here: it changes when earlier ones are put before it. */
  firstKey: string | null
  /** Changes when the reader sends something: that is brought to the top of the view. */
  sentKey: string | null
}

interface ReadingPosition {
  /** Text stands below the view. */
  below: boolean
  toEnd: () => void
}

/**
 * The page never jumps: text that arrives leaves the view where the reader is, unless they stand at the very
 * end by their own doing. What they send is brought to the top once, with room below for the answer.
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

  // A conversation that is opened shows its end, or the place where it was left.
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

/** What is known of the view between two layouts. */
interface Held {
  /** The reader stands at the end by their own doing, and goes along with it. */
  follows: boolean
  /** The conversation whose place was found. */
  placed: ConversationId | null
  /** The height of the content at the last layout: measured when it costs nothing. */
  height: number
}

/** Earlier messages push nothing away. */
function useEarlierKept(scroller: RefObject<HTMLDivElement | null>, held: RefObject<Held>, id: ConversationId | null, firstKey: string | null): void {
  const first = useRef<string | null>(null)
  useLayoutEffect(() => {
    const view = scroller.current
    const before = first.current
    first.current = firstKey
    if (!view || before === null || before === firstKey || held.current.placed !== id) return
    // Browsers that anchor the view do it by themselves, but for a view at its very top.
    if (ANCHORS && view.scrollTop > 0) return
    view.scrollTop += view.scrollHeight - held.current.height
  }, [scroller, held, id, firstKey])
}

function useSentOnTop(scroller: RefObject<HTMLDivElement | null>, held: RefObject<Held>, sentKey: string | null): void {
  // What was on top before this view of it was, is left where it is.
  const sent = useRef<string | null>(sentKey)
  useLayoutEffect(() => {
    if (sentKey === null || sentKey === sent.current) return
    sent.current = sentKey
    held.current.follows = false
    const target = scroller.current?.querySelector<HTMLElement>('[data-last-turn]')
    if (target) scroller.current?.scrollTo({ top: target.offsetTop - 12, behavior: motion() })
  }, [scroller, held, sentKey])
}

/** Follows the reader's scrolling, and the content and the view as they grow. */
function watchReader(view: HTMLElement, held: Held, { id, spot }: { id: ConversationId | null; spot: string | null }, distance: () => number, onBelow: (below: boolean) => void): () => void {
  let own = 0
  const touched = () => {
    own = performance.now()
  }
  const look = () => {
    const far = distance()
    onBelow(far > AT_END)
    return far
  }
  let room = view.clientHeight
  let before = look()
  const scrolled = () => {
    before = look()
    if (performance.now() - own < OWN_MS) held.follows = before > -AT_END && before < AT_END
    if (spot !== null && held.placed === id) left.set(spot, view.scrollTop)
  }
  const grown = new ResizeObserver(() => {
    // A composer that grows pushes the end up, for a reader who stands there.
    const lost = room - view.clientHeight
    if (lost !== 0 && Math.abs(before) < AT_END) view.scrollTop += lost
    room = view.clientHeight
    held.height = view.scrollHeight
    const far = look()
    if (held.follows && far > 0) view.scrollTop += far + 24
    before = look()
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
