import { ArrowDown, ArrowUp, ChevronRight, Dot, Lock, LockOpen, type LucideIcon } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { Trait, TraitMove } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { fullTime, since } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { TraitLine } from './TraitLine'
import { SIDES, positionWords } from './wording'

/** The bounds of every trait. */
const LEAST = 0.05
const MOST = 0.95
/** The pause after which the value of a slider is sent. */
const DEBOUNCE_MS = 350
/** The number of causes shown at first, and added with every further click. */
const MOVES = 30

/** One trait of the personality: its course over time, its causes, and its controls. */
export function TraitRow({ trait }: { trait: Trait }) {
  const side = SIDES[trait.dimension]
  const [open, setOpen] = useState(false)
  const [most, setMost] = useState(MOVES)
  const title = useId()
  if (!side) return null
  const moves = trait.moves.toReversed()
  const latest = moves[0]
  const shown = moves.slice(0, most)
  return (
    <section aria-labelledby={title} className="py-5">
      <div className="grid gap-x-8 gap-y-3 sm:grid-cols-[13rem_minmax(0,1fr)]">
        <div>
          <h2 id={title} className="flex items-baseline gap-2.5">
            <span className="text-15 font-medium">{side.title}</span>
            <span className="text-13 text-accent-text">{positionWords(side, trait.value)}</span>
          </h2>
          <p className="text-13 text-muted">{side.about}</p>
        </div>
        <TraitLine moves={shown} before={moves[most]?.value} value={trait.value} rest={trait.rest} now={Date.now()} label={`${side.title} over time: ${positionWords(side, trait.value)} today, at rest ${positionWords(side, trait.rest)}.`} />
        <div className="max-sm:hidden">
          <Why latest={latest} open={open} onToggle={() => setOpen(!open)} />
        </div>
        <TraitControls trait={trait} />
        <div className="sm:hidden">
          <Why latest={latest} open={open} onToggle={() => setOpen(!open)} />
        </div>
      </div>
      {open && (
        <div className="mt-2 ms-[0.4rem] border-s border-hairline ps-4">
          <ol aria-label={`What moved ${side.title.toLowerCase()}`}>
            {shown.map((move, index) => (
              <Move key={index} move={move} before={moves[index + 1]?.value} />
            ))}
          </ol>
          {moves.length > most && (
            <Button variant="quiet" className="-ms-3 h-7" aria-label={`Show more of what moved ${side.title.toLowerCase()}`} onClick={() => setMost(most + MOVES)}>
              Show more
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** The latest cause; a click shows the others. */
function Why({ latest, open, onToggle }: { latest: TraitMove | undefined; open: boolean; onToggle: () => void }) {
  if (!latest) return <p className="py-1 text-13 text-faint">Nothing has moved it yet.</p>
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="-ms-1 flex max-w-full items-center gap-1 rounded-control py-1 ps-0.5 pe-2 text-start text-13 text-faint transition-colors hover:text-text pointer-coarse:py-2.5"
    >
      <ChevronRight size={15} className={classNames('transition-transform duration-200', open && 'rotate-90')} />
      <span className="truncate" dir="auto">
        {plain(latest.why)}
      </span>
    </button>
  )
}

/** Returns the icon and word for a move. The value before the oldest stored move is unknown. */
function direction(value: number, before: number | undefined): { icon: LucideIcon; spoken: string } {
  if (before === undefined) return { icon: Dot, spoken: 'set' }
  return value >= before ? { icon: ArrowUp, spoken: 'up' } : { icon: ArrowDown, spoken: 'down' }
}

function Move({ move, before }: { move: TraitMove; before: number | undefined }) {
  const { icon: Icon, spoken } = direction(move.value, before)
  const words = plain(move.why)
  return (
    <li className="flex items-center gap-2.5 py-0.5 text-13">
      <Icon size={13} className="text-faint" aria-label={spoken} role="img" />
      <span className="min-w-0 truncate" dir="auto">
        {move.conversationId ? (
          <a
            href={fragmentOf(move.messageId ? { page: 'chat', id: move.conversationId, message: move.messageId } : { page: 'chat', id: move.conversationId })}
            className="text-muted underline decoration-hairline underline-offset-3 transition-colors hover:text-text pointer-coarse:py-2"
          >
            {words}
          </a>
        ) : (
          <span className="text-muted">{words}</span>
        )}
      </span>
      <time dateTime={move.at} title={fullTime(move.at)} className="shrink-0 text-12 text-faint">
        {since(move.at, new Date())}
      </time>
    </li>
  )
}

/** The slider and the lock. A locked trait never moves. */
function TraitControls({ trait }: { trait: Trait }) {
  const side = SIDES[trait.dimension]
  const changeTrait = useStore((state) => state.changeTrait)
  const [held, setHeld] = useState<number | null>(null)
  const { dimension } = trait
  useEffect(() => {
    if (held === null) return
    const timer = setTimeout(() => {
      setHeld(null)
      if (held !== trait.value) void changeTrait({ dimension, value: held })
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [held, dimension, trait.value, changeTrait])
  const value = held ?? trait.value
  return (
    <div className="flex items-center gap-3">
      <span className="shrink-0 text-12 text-faint sm:w-16 sm:text-end">{side.low}</span>
      <input
        type="range"
        aria-label={side.title}
        aria-valuetext={positionWords(side, value)}
        min={LEAST}
        max={MOST}
        step={0.01}
        value={value}
        onChange={(event) => setHeld(Number(event.target.value))}
        className="slider min-w-0 flex-1"
        style={{ '--part': `${((value - LEAST) / (MOST - LEAST)) * 100}%` } as React.CSSProperties}
      />
      <span className="shrink-0 text-12 text-faint sm:w-16">{side.high}</span>
      <IconButton
        size="small"
        label={trait.locked ? `Unlock ${side.title.toLowerCase()}` : `Lock ${side.title.toLowerCase()} where it is`}
        aria-pressed={trait.locked}
        onClick={() => void changeTrait({ dimension, locked: !trait.locked })}
      >
        {trait.locked ? <Lock size={15} /> : <LockOpen size={15} />}
      </IconButton>
    </div>
  )
}
