import './flashcards.css'
import { Check, ChevronLeft, ChevronRight, RotateCcw, Shuffle } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '@/design/Button'
import { IconButton } from '@/design/IconButton'
import { Progress } from '@/design/Progress'
import { OmittedNote, InlineText } from '../parts'
import type { Flashcards as Data } from '../read/lists'
import { answered, cardOf, type Deck, isLearned, newDeck, shuffled, turned } from './deck'

export function Flashcards({ cards }: Data) {
  const size = cards.shown.length
  const [deck, setDeck] = useState(() => newDeck(size))
  const [flipped, setFlipped] = useState(false)
  const card = cards.shown[cardOf(deck)]
  const go = (next: Deck) => {
    setDeck(next)
    setFlipped(false)
  }
  const steer = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    go(turned(deck, event.key === 'ArrowRight' ? 1 : -1))
  }
  if (!card) return null

  if (isLearned(deck)) return <Learned size={size} onAgain={() => go(newDeck(size))} />
  return (
    <div onKeyDown={steer}>
      <div className="flashcard relative" data-flipped={flipped || undefined}>
        {/* Each card is an element of its own, so that the next one appears face up without turning back first. */}
        <div key={cardOf(deck)} className="flashcard-inner">
          <Face side="Front" text={card.front} hidden={flipped} />
          <Face side="Back" text={card.back} hidden={!flipped} />
        </div>
        <button
          type="button"
          aria-label={flipped ? 'Turn to the front' : 'Turn to the back'}
          aria-pressed={flipped}
          onClick={() => setFlipped(!flipped)}
          className="absolute inset-0 rounded-card"
        />
      </div>
      <Controls deck={deck} onGo={go} />
      <div className="mt-4 flex items-center gap-3 text-12 text-faint">
        <span className="shrink-0 tabular-nums" aria-live="polite">
          {deck.known.size} known
        </span>
        <Progress part={deck.known.size / size} label="Cards that you know" />
      </div>
      <OmittedNote of={cards} what="cards" />
    </div>
  )
}

function Learned({ size, onAgain }: { size: number; onAgain: () => void }) {
  return (
    <div className="flashcard grid place-items-center rounded-card bg-well p-8 text-center">
      <div>
        <Check size={28} className="mx-auto text-ok" />
        <p className="mt-3 text-17">You know {size === 1 ? 'the card' : `all ${size}`}.</p>
        <Button autoFocus className="mt-5" icon={<RotateCcw size={14} />} onClick={onAgain}>
          Start over
        </Button>
      </div>
    </div>
  )
}

function Controls({ deck, onGo }: { deck: Deck; onGo: (next: Deck) => void }) {
  const size = deck.order.length
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-3">
      <IconButton label="Previous card" disabled={size === 1} onClick={() => onGo(turned(deck, -1))}>
        <ChevronLeft size={18} />
      </IconButton>
      <span className="min-w-14 text-center text-13 text-muted tabular-nums">
        {deck.at + 1} of {size}
      </span>
      <IconButton label="Next card" disabled={size === 1} onClick={() => onGo(turned(deck, 1))}>
        <ChevronRight size={18} />
      </IconButton>
      <IconButton label="Shuffle" disabled={size === 1} onClick={() => onGo(shuffled(deck, Math.random))}>
        <Shuffle size={16} />
      </IconButton>
      <div className="ms-auto flex gap-2 @max-md:w-full @max-md:*:flex-1">
        <Button variant="quiet" onClick={() => onGo(answered(deck, false))}>
          Again
        </Button>
        <Button icon={<Check size={14} />} onClick={() => onGo(answered(deck, true))}>
          Got it
        </Button>
      </div>
    </div>
  )
}

function Face({ side, text, hidden }: { side: 'Front' | 'Back'; text: string; hidden: boolean }) {
  return (
    <div className="flashcard-face" data-side={side} aria-hidden={hidden} inert={hidden}>
      <p className="text-12 text-faint">{side === 'Front' ? 'Question' : 'Answer'}</p>
      <div className={`m-auto max-w-full text-center wrap-anywhere ${text.length < 90 ? 'text-22' : 'text-17'}`} aria-live={hidden ? 'off' : 'polite'}>
        <InlineText text={text} />
      </div>
    </div>
  )
}
