import { ChevronRight, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Fact } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { fullTime, since } from '@/design/format'
import { classNames } from '@/design/classNames'
import { own } from '@/design/own'
import { fragmentOf } from '@/shell/route'
import { plain } from '@/tools/wording'
import { historyChanges, type HistoryChange } from './pastTexts'
import { useMemoryStore } from './useMemoryStore'
import { different, happened } from './wording'

/** The history of a fact, with a button to undo its last change. */
export function FactHistoryView({ fact }: { fact: Fact }) {
  const [open, setOpen] = useState(false)
  const known = useMemoryStore((state) => own(state.histories, fact.id))
  const { readHistory, undoFact } = useMemoryStore.getState()
  useEffect(() => void readHistory(fact.id), [readHistory, fact.id])
  const history = known?.history
  const changes = historyChanges(history?.changes ?? [], fact.content)
  return (
    <div className="mt-2">
      <div className="flex min-h-8 flex-wrap items-center gap-x-2">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="-ms-1 flex items-center gap-1 rounded-control py-1 ps-0.5 pe-2 text-13 text-faint transition-colors hover:text-text pointer-coarse:py-2.5"
        >
          <ChevronRight size={15} className={classNames('transition-transform duration-200', open && 'rotate-90')} />
          History
        </button>
        {history?.canUndo && (
          <Button variant="quiet" className="h-7" icon={<Undo2 size={14} />} onClick={() => void undoFact(fact.id)}>
            Undo the last change
          </Button>
        )}
      </div>
      {open && known?.trouble && (
        <p role="alert" className="py-1 ps-5 text-13 text-danger">
          {known.trouble}
        </p>
      )}
      {open && !known && <p className="py-1 ps-5 text-13 text-faint">Loading…</p>}
      {open && changes.length > 0 && (
        <ol className="ms-[0.4rem] border-s border-hairline ps-4">
          {changes.map((change, index) => (
            <Change key={index} change={change} />
          ))}
        </ol>
      )}
    </div>
  )
}

function Change({ change }: { change: HistoryChange }) {
  return (
    <li className="py-1 text-13">
      <p className="flex flex-wrap gap-x-2.5">
        <span>{happened(change.kind, change.tookPlace)}</span>
        <time dateTime={change.at} title={fullTime(change.at)} className="text-faint">
          {since(change.at, new Date())}
        </time>
      </p>
      {change.before !== null && (
        <p className="wrap-anywhere text-faint line-through decoration-1" dir="auto">
          {plain(change.before)}
        </p>
      )}
      {change.changed.map((difference) => (
        <p key={difference.what} className="wrap-anywhere text-muted" dir="auto">
          {different(difference, new Date())}
        </p>
      ))}
      {change.otherContent !== null && (
        <p className="wrap-anywhere text-muted" dir="auto">
          {change.other ? (
            <a href={fragmentOf({ page: 'memory', tab: 'facts', item: change.other })} className="underline decoration-hairline underline-offset-3 hover:text-text">
              {plain(change.otherContent)}
            </a>
          ) : (
            plain(change.otherContent)
          )}
        </p>
      )}
    </li>
  )
}
