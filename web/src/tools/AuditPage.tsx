import { ChevronRight } from 'lucide-react'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import type { AuditDecision, AuditEntry } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { dayName, fullTime, timeOfDay } from '@/design/format'
import { classNames } from '@/design/classNames'
import { Select } from '@/design/Select'
import { RetryNote, LoadingNote, EmptyState, PageFrame } from '@/shell/PageFrame'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { Arguments } from './Arguments'
import { NO_FILTER } from './auditSlice'
import { ShortenedText } from './ShortenedText'
import { FilterField } from './FilterField'
import { toolIcon } from './icons'
import { type ActState, AUDIT_DECISIONS, phrase, plain, RISKS } from './wording'

const DEBOUNCE_MS = 200

/** The list of all tool calls, including those that were stopped. */
export default function AuditPage() {
  const audit = useStore((state) => state.audit)
  const { openAudit, retryAudit, refreshTools } = useStore.getState()
  useEffect(() => {
    void openAudit()
    if (!useStore.getState().tools) void refreshTools()
  }, [openAudit, refreshTools])
  const filtered = audit.filter.tool !== '' || audit.filter.decision !== '' || audit.filter.q !== ''
  const empty = audit.entries.length === 0
  return (
    <PageFrame page="audit" about="Everything she did is listed here, and everything that was stopped. Nothing can be removed from this list.">
      <Filters />
      {empty && audit.state === 'ready' && (filtered ? <NoneFound /> : <EmptyState title="Nothing yet" text="When she uses a tool, it is listed here: what, with which arguments, the result, and who allowed it." />)}
      {empty && audit.state === 'loading' && <LoadingNote text="Loading what she did…" />}
      <Days entries={audit.entries} />
      {audit.state === 'failed' && <RetryNote text={audit.trouble ?? ''} onRetry={() => void retryAudit()} />}
      {!empty && audit.next !== null && audit.state !== 'failed' && <Older busy={audit.state === 'loading'} />}
      {!empty && audit.next === null && audit.state === 'ready' && <p className="py-6 text-center text-13 text-faint">That is all.</p>}
    </PageFrame>
  )
}

function Filters() {
  const filter = useStore((state) => state.audit.filter)
  const tools = useStore((state) => state.tools)
  const openAudit = useStore((state) => state.openAudit)
  const [typed, setTyped] = useState(filter.q)
  useEffect(() => setTyped(filter.q), [filter.q])
  useEffect(() => {
    if (typed === filter.q) return
    const timer = setTimeout(() => void openAudit({ q: typed }), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, filter.q, openAudit])
  // The chosen tool may no longer exist but still have entries.
  const names = useMemo(() => [...new Set([...(tools ?? []).map((tool) => tool.name), ...(filter.tool === '' ? [] : [filter.tool])])].sort(), [tools, filter.tool])
  return (
    <div className="sticky top-0 z-10 -mx-1 flex flex-wrap gap-2 bg-[linear-gradient(var(--ground)_80%,transparent)] px-1 pt-4 pb-5">
      <div className="flex min-w-40 flex-1 max-sm:basis-full">
        <FilterField label="Search what she did" value={typed} onChange={setTyped} />
      </div>
      <Select label="Tool" value={filter.tool} onChange={(tool) => void openAudit({ tool })}>
        <option value="">Every tool</option>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <Select label="Decision" value={filter.decision} onChange={(decision) => void openAudit({ decision })}>
        <option value="">Every decision</option>
        {Object.entries(AUDIT_DECISIONS).map(([decision, title]) => (
          <option key={decision} value={decision}>
            {title}
          </option>
        ))}
      </Select>
    </div>
  )
}

function Days({ entries }: { entries: AuditEntry[] }) {
  const days = useMemo(() => {
    const made: { day: string; entries: AuditEntry[] }[] = []
    for (const entry of entries) {
      const day = dayName(entry.at, new Date())
      const last = made.at(-1)
      if (last?.day === day) last.entries.push(entry)
      else made.push({ day, entries: [entry] })
    }
    return made
  }, [entries])
  return days.map(({ day, entries: list }) => (
    <section key={`${day} ${list[0]?.at}`} aria-label={day} className="pb-4">
      <h2 className="pb-1 text-12 text-faint">{day}</h2>
      <ul className="-mx-2.5">
        {list.map((entry, index) => (
          <Entry key={`${entry.at} ${index}`} entry={entry} />
        ))}
      </ul>
    </section>
  ))
}

const STATES: Record<AuditDecision, ActState> = { allowed: 'done', approved: 'done', denied: 'denied', timedOut: 'denied', stopped: 'dropped', blocked: 'blocked', refused: 'blocked' }
const COLOURS: Record<AuditDecision, string> = {
  allowed: 'text-faint', approved: 'text-ok', denied: 'text-warn', timedOut: 'text-warn', stopped: 'text-faint', blocked: 'text-danger', refused: 'text-danger',
}

const Entry = memo(function Entry({ entry }: { entry: AuditEntry }) {
  const [open, setOpen] = useState(false)
  const { does, what } = phrase(entry.tool, entry.args, STATES[entry.decision] ?? 'done')
  const Icon = toolIcon(entry.tool)
  return (
    <li className="[contain-intrinsic-size:auto_2.25rem] [content-visibility:auto]">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full min-w-0 items-center gap-3 rounded-control px-2.5 py-1.5 text-start text-13 transition-colors hover:bg-hover pointer-coarse:min-h-12"
      >
        <Icon size={15} className="text-faint" />
        <span className="flex min-w-0 flex-1 flex-wrap gap-x-3 sm:flex-nowrap">
          <span className="min-w-0 flex-1 truncate text-muted max-sm:basis-full">
            {does} {what !== '' && <bdi className="text-text">{what}</bdi>}
          </span>
          <span className={classNames('shrink-0 text-12/5 sm:w-24', COLOURS[entry.decision])}>{AUDIT_DECISIONS[entry.decision] ?? entry.decision}</span>
        </span>
        <time dateTime={entry.at} title={fullTime(entry.at)} className="shrink-0 text-12 text-faint">
          {timeOfDay(entry.at)}
        </time>
        <ChevronRight size={14} className={classNames('text-faint transition-transform duration-200', open && 'rotate-90')} />
      </button>
      {open && <Details entry={entry} />}
    </li>
  )
})

function Details({ entry }: { entry: AuditEntry }) {
  const title = useStore((state) => state.chats.find((chat) => chat.id === entry.conversationId)?.title)
  return (
    <div className="mt-1 mb-4 flex flex-col gap-3 ps-[2.4375rem] pe-3 text-13">
      <p className="flex flex-wrap gap-x-3 text-12 text-faint">
        <code className="font-mono">{plain(entry.tool)}</code>
        <span>{RISKS[entry.risk]}</span>
        <span>{fullTime(entry.at)}</span>
      </p>
      {entry.why && (
        <p className="wrap-anywhere text-muted" dir="auto">
          {plain(entry.why)}
        </p>
      )}
      <Arguments args={entry.args} />
      {entry.result !== '' && (
        <div className="border-t border-hairline pt-3">
          <p className="mb-1 text-12 text-faint">Result</p>
          <ShortenedText text={entry.result} label="Result" />
        </div>
      )}
      {entry.conversationId && (
        <p>
          <a href={fragmentOf({ page: 'chat', id: entry.conversationId })} className="text-blue underline decoration-1 underline-offset-3 wrap-anywhere">
            <bdi>{title || 'To the conversation'}</bdi>
          </a>
        </p>
      )}
    </div>
  )
}

/** Loads older entries before the reader reaches the end; a button does the same. */
function Older({ busy }: { busy: boolean }) {
  const mark = useRef<HTMLDivElement>(null)
  const olderAudit = useStore((state) => state.olderAudit)
  useEffect(() => {
    const element = mark.current
    if (!element || busy) return
    const observer = new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && void olderAudit(), {
      root: element.closest('[data-testid=page]'),
      rootMargin: '600px 0px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [busy, olderAudit])
  return (
    <div ref={mark} className="py-4 text-center">
      {busy ? (
        <p role="status" className="text-13 text-faint">
          Loading older ones…
        </p>
      ) : (
        <Button variant="quiet" onClick={() => void olderAudit()}>
          Show older ones
        </Button>
      )}
    </div>
  )
}

function NoneFound() {
  const openAudit = useStore((state) => state.openAudit)
  return (
    <div className="py-6">
      <p className="text-15 text-muted">Nothing she did fits this.</p>
      <Button className="mt-3" onClick={() => void openAudit(NO_FILTER)}>
        Show everything
      </Button>
    </div>
  )
}
