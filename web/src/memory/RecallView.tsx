import { type LucideIcon, MessageSquare, UserRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { count, duration } from '@/design/format'
import { RetryNote, LoadingNote, PageFrame } from '@/shell/PageFrame'
import { FilterField } from '@/tools/FilterField'
import { RecalledItems } from './RecalledItems'
import { useMemoryStore } from './useMemoryStore'
import { useSlash } from './useSlash'

const DEBOUNCE_MS = 300

/** A trial of recall: the memories that a query would bring up, and why. */
export function RecallView() {
  const { query, reply, state, trouble } = useMemoryStore((store) => store.recalled)
  const { tryRecall } = useMemoryStore.getState()
  const [typed, setTyped] = useState(query)
  const field = useRef<HTMLDivElement>(null)
  useSlash(field)
  useEffect(() => setTyped(query), [query])
  useEffect(() => {
    if (typed === query) return
    const timer = setTimeout(() => void tryRecall(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, query, tryRecall])
  useEffect(() => {
    if (window.matchMedia('(hover: hover)').matches) field.current?.querySelector('input')?.focus()
  }, [])
  return (
    <PageFrame page="recall" about="Ask something the way you would in a chat, and see what she would remember for it, and why. Nothing is sent to the model.">
      <div ref={field} className="flex pt-4 pb-2">
        <FilterField label="What would she remember for…" value={typed} onChange={setTyped} />
      </div>
      {state === 'failed' && <RetryNote text={trouble ?? ''} onRetry={() => void tryRecall(query)} />}
      {state === 'looking' && !reply && <LoadingNote text="Searching her memory…" rows={3} />}
      {state === 'idle' && <Examples onPick={setTyped} />}
      {reply && (state === 'done' || state === 'looking') && (
        <div aria-busy={state === 'looking'}>
          <p role="status" className="py-2 text-12 text-faint">
            {reply.items.length === 0 ? 'Nothing' : count(reply.items.length)} in {duration(reply.millis)}
          </p>
          {reply.reading && (
            <p className="max-w-(--measure) pb-2 text-13 text-muted">
              Conversations are still being read: {reply.reading.done} of {count(reply.reading.of)}. Until then, only exact words in them are found.
            </p>
          )}
          {reply.refused && reply.items.length > 0 && (
            <p className="max-w-(--measure) pb-2 text-13 text-muted">Nothing clearly answers this. Here is everything you have told her so far: it is short enough to read in full.</p>
          )}
          {reply.items.length > 0 && <RecalledItems items={reply.items} parts />}
          {reply.items.length === 0 && (
            <div className="py-4">
              <p className="display text-22">Nothing close enough</p>
              <p className="mt-1 max-w-(--measure) text-15 text-muted">
                {reply.refused ? 'Something came up, but it did not fit well. She would rather say she does not know than remember something wrong.' : 'Nothing came up at all for these words.'}
              </p>
            </div>
          )}
        </div>
      )}
    </PageFrame>
  )
}

const EXAMPLES = ['What is my dog called?', 'Where did I live before?', 'What should I cook for my sister?']

/** An example that explains the page, and questions to try. */
function Examples({ onPick }: { onPick: (text: string) => void }) {
  return (
    <>
      <figure className="mt-3 rounded-panel bg-raised px-5 py-4 shadow-lit">
        <figcaption className="text-12 text-faint">An example: you ask, and see what she would think of</figcaption>
        <p className="ms-auto mt-3 w-fit rounded-[14px] bg-[color-mix(in_oklab,var(--text)_7%,transparent)] px-3.5 py-2 text-15">What should I cook for my sister?</p>
        <ul className="mt-3 flex flex-col gap-2.5">
          <Sample icon={UserRound} text="Your sister Anna does not eat fish." where="A fact, from a chat in May" fit={92} />
          <Sample icon={MessageSquare} text="“Anna loved the lentil soup you found.”" where="A message, three weeks ago" fit={71} />
        </ul>
        <p className="mt-3.5 border-t border-hairline pt-3 text-13 text-pretty text-muted">
          This is how you find out why she remembers something, or why she does not. Each result shows where it comes from, and can be corrected or forgotten on the spot.
        </p>
      </figure>
      <h2 className="pt-6 text-13 text-muted">Try one of these</h2>
      <ul aria-label="Questions to try" className="flex flex-wrap gap-2 pt-2">
        {EXAMPLES.map((text) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => onPick(text)}
              className="rounded-full px-3.5 py-1.5 text-start text-13 text-muted shadow-[inset_0_0_0_1px_var(--hairline)] transition-colors hover:bg-hover hover:text-text pointer-coarse:py-2.5"
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A sample result with its score as a bar only; real results show the number as well. */
function Sample({ icon: Icon, text, where, fit }: { icon: LucideIcon; text: string; where: string; fit: number }) {
  return (
    <li className="flex gap-3">
      <Icon size={15} aria-hidden="true" className="mt-1 shrink-0 text-faint" />
      <span className="min-w-0 flex-1">
        <span className="block text-15">{text}</span>
        <span className="block text-12 text-faint">{where}</span>
      </span>
      <span aria-hidden="true" className="mt-2.5 h-1 w-20 shrink-0 overflow-hidden rounded-full bg-[color-mix(in_oklab,var(--text)_10%,transparent)]">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${fit}%` }} />
      </span>
    </li>
  )
}
