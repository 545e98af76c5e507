import './lists.css'
import { Check } from 'lucide-react'
import { classNames } from '@/design/classNames'
import { OmittedNote, InlineText } from '../parts'
import type { Steps as Data } from '../read/lists'

export function Steps({ steps }: Data) {
  return (
    <>
      <ol className="steps">
        {steps.shown.map(({ title, text, done }, index) => (
          <li key={index} className="relative flex gap-3.5 pb-5 last:pb-0">
            <span
              aria-hidden="true"
              className={classNames(
                'steps-mark grid size-6 shrink-0 place-items-center rounded-full text-12 font-medium tabular-nums',
                done ? 'bg-accent text-on-accent' : 'bg-raised text-muted shadow-lit',
              )}
            >
              {done ? <Check size={14} strokeWidth={2} /> : index + 1}
            </span>
            <div className="min-w-0 flex-1 wrap-anywhere">
              <div className={classNames(text && 'font-medium', done && 'text-muted')}>
                {done && <span className="sr-only">Done: </span>}
                <InlineText text={title} />
              </div>
              {text && (
                <div className="mt-0.5 text-muted">
                  <InlineText text={text} />
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
      <OmittedNote of={steps} what="steps" />
    </>
  )
}
