import { useEffect, useRef, useState } from 'react'
import { count, duration } from '@/design/format'
import { AskAgain, Fetching, PageFrame } from '@/shell/PageFrame'
import { useStore } from '@/store'
import { FilterField } from '@/tools/FilterField'
import { Remembered } from './Remembered'
import { useSlash } from './useSlash'

const REST_MS = 300

/** A trial: what would come to her mind for these words, and why. */
export function RecallView() {
  const { query, reply, state, trouble } = useStore((store) => store.recalled)
  const { tryRecall } = useStore.getState()
  const [typed, setTyped] = useState(query)
  const field = useRef<HTMLDivElement>(null)
  useSlash(field)
  useEffect(() => setTyped(query), [query])
  useEffect(() => {
    if (typed === query) return
    const timer = setTimeout(() => void tryRecall(typed), REST_MS)
    return () => clearTimeout(timer)
  }, [typed, query, tryRecall])
  useEffect(() => {
    if (window.matchMedia('(hover: hover)').matches) field.current?.querySelector('input')?.focus()
  }, [])
  return (
    <PageFrame page="recall" about="Write something as you would say it to her, and see what would come to her mind for it, in what order, and why. Nothing is sent to the model.">
      <div ref={field} className="flex pt-4 pb-2">
        <FilterField label="What would she remember for…" value={typed} onChange={setTyped} />
      </div>
      {state === 'failed' && <AskAgain words={trouble ?? ''} onRetry={() => void tryRecall(query)} />}
      {state === 'looking' && !reply && <Fetching words="Thinking back…" rows={3} />}
      {state === 'idle' && <Examples onPick={setTyped} />}
      {reply && (state === 'done' || state === 'looking') && (
        <div aria-busy={state === 'looking'}>
          <p role="status" className="py-2 text-12 text-faint">
            {reply.items.length === 0 ? 'Nothing' : count(reply.items.length)} in {duration(reply.millis)}
          </p>
          {reply.items.length > 0 && <Remembered items={reply.items} parts />}
          {reply.items.length === 0 && (
            <div className="py-4">
              <p className="display text-22">Nothing near enough</p>
              <p className="mt-1 max-w-(--measure) text-15 text-muted">
                {reply.refused ? 'Something came up, but it did not fit well. She would rather say that she does not know than remember something wrong.' : 'Nothing came up at all for these words.'}
              </p>
            </div>
          )}
        </div>
      )}
    </PageFrame>
  )
}

const EXAMPLES = ['What is my dog called?', 'Where did I live before?', 'What should I cook for my sister?']

function Examples({ onPick }: { onPick: (text: string) => void }) {
  return (
    <ul aria-label="Ways to begin" className="-ms-3 flex flex-col items-start pt-3">
      {EXAMPLES.map((text) => (
        <li key={text}>
          <button
            type="button"
            onClick={() => onPick(text)}
            className="rounded-control px-3 py-1.5 text-start text-15 text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:py-2.5"
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}
