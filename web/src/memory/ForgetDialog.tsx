import { Check, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { BackupCopy, ForgetReport } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { Dialog } from '@/design/Dialog'
import { TextField } from '@/design/Field'
import { fullTime, plural } from '@/design/format'
import { classNames } from '@/design/classNames'
import { plain } from '@/tools/wording'
import { excerpt } from './excerpt'
import { useMemoryStore } from './useMemoryStore'
import { isNowhere, placeOrder, placeWords } from './wording'

/**
 * The dialog to forget something: a preview of what is removed and what is not, the removal, and a check of
 * what is left.
 */
export default function ForgetDialog() {
  const forgetting = useMemoryStore((state) => state.forgetting)
  const { closeForget } = useMemoryStore.getState()
  if (!forgetting) return null
  const { state, report, trouble } = forgetting
  return (
    <Dialog title={state === 'done' ? 'Forgotten' : 'Forget this?'} onClose={closeForget} width="sm:w-[32rem]">
      <div className="flex min-h-0 flex-col gap-5 overflow-y-auto px-5 pb-5">
        {state === 'asking' && <AskWords />}
        {state === 'looking' && (
          <p role="status" className="text-15 text-muted">
            Searching everywhere…
          </p>
        )}
        {report && (report.done ? <Words words={report.words} /> : <Choice report={report} leave={forgetting.leave} />)}
        {report && !report.done && <Preview report={report} />}
        {report?.done && <Outcome report={report} />}
        {trouble && (
          <p role="alert" className="text-13 wrap-anywhere text-danger">
            {trouble} Nothing was removed.
          </p>
        )}
        {state !== 'asking' && <Buttons />}
      </div>
    </Dialog>
  )
}

function Buttons() {
  const forgetting = useMemoryStore((state) => state.forgetting)
  const { closeForget, confirmForget, askToForget } = useMemoryStore.getState()
  const back = useRef<HTMLButtonElement>(null)
  const state = forgetting?.state
  // Enter must not trigger the irreversible action first.
  useEffect(() => {
    if (state === 'ready' || state === 'done') back.current?.focus()
  }, [state])
  if (!forgetting) return null
  const { report, target } = forgetting
  if (state === 'done') {
    return (
      <div className="flex justify-end">
        <Button ref={back} onClick={closeForget}>
          Close
        </Button>
      </div>
    )
  }
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <Button ref={back} variant="quiet" onClick={closeForget}>
        Keep it
      </Button>
      {state === 'ready' && !report && target && (
        <Button onClick={() => void askToForget(target)}>
          Try again
        </Button>
      )}
      {report && !isNowhere(report) && (
        <Button
          disabled={state === 'removing'}
          onClick={() => void confirmForget()}
          variant="danger"
          className="bg-[color-mix(in_oklab,var(--danger)_14%,transparent)] font-medium hover:bg-[color-mix(in_oklab,var(--danger)_20%,transparent)]"
        >
          {state === 'removing' ? 'Removing it everywhere…' : 'Forget it for good'}
        </Button>
      )}
    </div>
  )
}

/** The form for `/forget` without words. */
function AskWords() {
  const [words, setWords] = useState('')
  const { askToForget, closeForget } = useMemoryStore.getState()
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (words.trim() !== '') void askToForget({ words: words.trim() })
      }}
    >
      <label className="flex flex-col gap-1.5">
        <span className="text-13 text-muted">The words to forget, exactly as they were said. You will see where they are found before anything happens.</span>
        <TextField autoFocus dir="auto" value={words} onChange={(event) => setWords(event.target.value)} maxLength={2000} />
      </label>
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={closeForget}>
          Cancel
        </Button>
        <Button type="submit" variant="primary">
          Look for them
        </Button>
      </div>
    </form>
  )
}

const MOST_WORDS = 6

/** The version history of the memory files, which expires on a date of its own. */
const HISTORY = 'memories/.git'

function Words({ words }: { words: string[] }) {
  if (words.length === 0) return null
  return (
    <ul aria-label="The words" className="flex flex-col gap-1 border-s-2 border-hairline ps-3.5">
      {words.slice(0, MOST_WORDS).map((text, index) => (
        <li key={index} className="display line-clamp-4 text-15 wrap-anywhere text-muted" dir="auto">
          “{plain(text)}”
        </li>
      ))}
      {words.length > MOST_WORDS && <li className="text-13 text-faint">and {words.length - MOST_WORDS} more</li>}
    </ul>
  )
}

/** The words as checkboxes: those that may mean something else elsewhere can be kept or removed too. */
function Choice({ report, leave }: { report: ForgetReport; leave: string[] }) {
  const taken = report.words.slice(0, MOST_WORDS).map((words) => ({ words, goes: true, note: '' }))
  const offered = report.offered.map(({ words, conversations }) => ({
    words,
    goes: false,
    note: `stays: it is also in ${plural(conversations, 'conversation')}, and may mean something else there`,
  }))
  const left = leave.map((words) => ({ words, goes: false, note: 'stays' }))
  const choices = [...taken, ...left, ...offered]
  if (choices.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-1.5 border-s-2 border-hairline ps-3.5">
      <legend className="sr-only">The words to forget</legend>
      {choices.map(({ words, goes, note }) => (
        <label key={words} className="flex cursor-pointer items-start gap-2.5">
          <input
            type="checkbox"
            checked={goes}
            onChange={() => void useMemoryStore.getState().chooseWords(words, !goes)}
            className="mt-1.5 size-4 shrink-0 accent-[var(--accent)]"
          />
          <span className="min-w-0">
            <span className={classNames('display line-clamp-4 text-15 wrap-anywhere', goes ? 'text-muted' : 'text-faint')} dir="auto">
              “{plain(words)}”
            </span>
            {note !== '' && <span className="text-12 text-faint">{note}</span>}
          </span>
        </label>
      ))}
      {report.words.length > MOST_WORDS && <p className="text-13 text-faint">and {report.words.length - MOST_WORDS} more</p>}
    </fieldset>
  )
}

function Preview({ report }: { report: ForgetReport }) {
  if (isNowhere(report)) return <p className="text-15 text-muted">It was not found anywhere. There is nothing to remove.</p>
  return (
    <>
      <section aria-label="What will be removed">
        <h3 className="text-13 font-medium">What will be removed for good</h3>
        <Places report={report} />
      </section>
      {report.historyUntil && <Grace until={report.historyUntil} />}
      <Backups backups={report.backups} />
    </>
  )
}

function Places({ report }: { report: ForgetReport }) {
  return (
    <ul className="mt-1.5 flex flex-col divide-y divide-hairline">
      {report.removed
        .filter(({ count }) => count > 0)
        .toSorted((one, other) => placeOrder(one.place) - placeOrder(other.place))
        .map(({ place, count, example }) => (
          <li key={place} className="py-1.5 text-13">
            <p className="text-muted">{placeWords(place, count)}</p>
            <Excerpt text={excerpt(example ?? '', place, report.words)} />
          </li>
        ))}
    </ul>
  )
}

function Excerpt({ text }: { text: string }) {
  if (text === '') return null
  return (
    <p className="truncate text-faint" dir="auto">
      {plain(text)}
    </p>
  )
}

function Grace({ until }: { until: string }) {
  return <p className="text-13 text-muted">Files keep their history for a while, so that mistakes can be undone. There it is gone for good after {fullTime(until)}.</p>
}

function Backups({ backups }: { backups: BackupCopy[] }) {
  if (backups.length === 0) return null
  return (
    <section aria-label="What stays" className="rounded-card bg-[color-mix(in_oklab,var(--warn)_9%,transparent)] px-4 py-3">
      <h3 className="flex items-center gap-2 text-13 font-medium">
        <TriangleAlert size={15} className="text-warn" />
        {plural(backups.length, 'backup stays as it is', 'backups stay as they are')}
      </h3>
      <p className="mt-1 text-13 text-muted">Backups are never changed. To remove it there, too, delete them yourself.</p>
      <ul className="mt-2 flex max-h-32 flex-col gap-0.5 overflow-y-auto text-12">
        {backups.map(({ file, madeAt }) => (
          <li key={file} className="flex gap-3">
            <span className="min-w-0 flex-1 truncate font-mono" dir="auto">
              {plain(file)}
            </span>
            <time dateTime={madeAt} className="shrink-0 text-muted">
              {fullTime(madeAt)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The result of the removal, verified by searching all stored files for the words. */
function Outcome({ report }: { report: ForgetReport }) {
  const left = report.found.filter((place) => report.historyUntil === null || !place.endsWith(HISTORY))
  const clean = left.length === 0
  return (
    <>
      <div
        role="status"
        className={classNames('flex gap-3 rounded-card px-4 py-3 text-13', clean ? 'bg-[color-mix(in_oklab,var(--ok)_10%,transparent)]' : 'bg-[color-mix(in_oklab,var(--danger)_10%,transparent)]')}
      >
        {clean ? <Check size={16} className="mt-0.5 text-ok" /> : <TriangleAlert size={16} className="mt-0.5 text-danger" />}
        <div className="min-w-0">
          {report.running > 0 ? (
            <p>{plural(report.running, 'answer is', 'answers are')} being written right now. They are checked as soon as they end.</p>
          ) : clean ? (
            <p>
              The whole data folder was searched for these words afterwards. Nothing is left of them{left.length < report.found.length && ', except in the history of her files, which is removed later'}.
            </p>
          ) : (
            <>
              <p>It is removed, but these words were still found in {plural(left.length, 'place')}. They may be part of something else: have a look.</p>
              <ul className="mt-1.5 max-h-32 overflow-y-auto font-mono text-12">
                {left.map((file) => (
                  <li key={file} className="break-all" dir="auto">
                    {plain(file)}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
      <section aria-label="What was removed">
        <h3 className="text-13 font-medium">What was removed</h3>
        <Places report={report} />
      </section>
      {report.offered.map(({ words, conversations }) => (
        <p key={words} className="text-13 text-muted">
          “<bdi>{plain(words)}</bdi>” alone is still in {plural(conversations, 'conversation')}. To forget it there, too, forget these words.
        </p>
      ))}
      {report.historyUntil && <Grace until={report.historyUntil} />}
      <Backups backups={report.backups} />
    </>
  )
}
