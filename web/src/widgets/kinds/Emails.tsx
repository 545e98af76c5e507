import './emails.css'
import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { classNames } from '@/design/classNames'
import { useWidth } from '@/design/useSize'
import { PlainText } from '@/markdown/PlainText'
import { Initial } from '@/media/Initial'
import { OmittedNote } from '../parts'
import type { Email, Emails as Data } from '../read/lists'

/** The width from which the list and the email fit side by side, in pixels. */
const WIDE = 560

/** A list of emails with the open one beside it or, if there is no room, unfolded below its line. */
export function Emails({ emails }: Data) {
  const place = useRef<HTMLDivElement>(null)
  const wide = useWidth(place) >= WIDE
  const [open, setOpen] = useState<number | null>(null)
  const chosen = open ?? (wide ? 0 : null)
  const letter = chosen === null ? undefined : emails.shown[chosen]
  return (
    <div ref={place} className={wide ? 'emails-wide' : ''}>
      <ul aria-label="Emails" className={classNames(wide && 'min-h-0 overflow-y-auto px-2 pb-3', !wide && 'px-2 pb-2')}>
        {emails.shown.map((email, index) => (
          <li key={index}>
            <Line
              email={email}
              open={index === chosen}
              folds={!wide}
              onOpen={() => setOpen(index === open && !wide ? null : index)}
            />
            {!wide && index === chosen && (
              <div className="px-3 pt-1 pb-5">
                <Letter email={email} />
              </div>
            )}
          </li>
        ))}
        {emails.more + emails.unread > 0 && (
          <li className="px-3">
            <OmittedNote of={emails} what="emails" />
          </li>
        )}
      </ul>
      {wide && letter && (
        <article tabIndex={0} aria-label={letter.subject || 'Email'} className="emails-pane min-h-0 overflow-y-auto px-6 pb-6">
          <h4 dir="auto" className="text-17 font-medium wrap-anywhere">
            {letter.subject || 'No subject'}
          </h4>
          <Letter email={letter} />
        </article>
      )}
    </div>
  )
}

interface LineProps {
  email: Email
  open: boolean
  folds: boolean
  onOpen: () => void
}

function Line({ email, open, folds, onOpen }: LineProps) {
  return (
    <button
      type="button"
      onClick={onOpen}
      {...(folds ? { 'aria-expanded': open } : { 'aria-current': open })}
      className={classNames('flex w-full items-start gap-3 rounded-card px-3 py-2.5 text-start transition-colors', open && !folds ? 'bg-pressed' : 'hover:bg-hover')}
    >
      <Initial of={email.from || email.subject} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span dir="auto" className="min-w-0 flex-1 truncate text-13 font-medium">
            {nameIn(email.from) || 'Unknown sender'}
          </span>
          <span className="shrink-0 text-12 text-faint">{shortDate(email.date)}</span>
        </span>
        <span dir="auto" className="block truncate text-13 text-muted">
          {email.subject || 'No subject'}
        </span>
      </span>
      {folds && <ChevronDown size={16} className={classNames('mt-0.5 text-faint transition-transform', open && 'rotate-180')} />}
    </button>
  )
}

function Letter({ email }: { email: Email }) {
  const facts = [
    ['From', email.from],
    ['To', email.to],
    ['Date', email.date],
  ].filter(([, value]) => value)
  return (
    <>
      {facts.length > 0 && (
        <dl className="mt-1 text-12 text-faint">
          {facts.map(([name, value]) => (
            <div key={name} className="flex gap-1.5">
              <dt>{name}</dt>
              <dd dir="auto" className="min-w-0 wrap-anywhere text-muted">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="email-text mt-4 max-w-(--measure)">
        <PlainText text={email.text || 'This email has no text.'} />
      </div>
    </>
  )
}

/**
 * Returns the name of a sender such as `Ines Vale <ines@example.org>`; an address alone is returned as it is.
 */
function nameIn(from: string): string {
  return /^\s*"?([^"<]+?)"?\s*<[^>]*>\s*$/.exec(from)?.[1] ?? from
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })

function shortDate(date: string): string {
  const at = /^\d{4}-\d{2}-\d{2}/.test(date) ? new Date(date) : null
  return at && !Number.isNaN(at.getTime()) ? day.format(at) : date.slice(0, 16)
}
