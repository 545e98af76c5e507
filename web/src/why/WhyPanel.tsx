import { ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Fragment, FragmentKind, MessageId, Why } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { count, duration, plural } from '@/design/format'
import { classNames } from '@/design/classNames'
import { RecalledItems } from '@/memory/RecalledItems'
import { useStore } from '@/store'
import { WhyFrame } from './WhyFrame'

/** The panel *Why did you say that?*: the content of the prompt, and its cost. */
export default function WhyPanel() {
  const why = useStore((state) => state.why)
  const showWhy = useStore((state) => state.showWhy)
  if (!why) return null
  return (
    <WhyFrame>
      {why.trouble ? (
        <div role="alert">
          <p className="text-15 text-muted">{why.trouble}</p>
          <Button className="mt-3" onClick={() => void showWhy(why.turn, why.message)}>
            Try again
          </Button>
        </div>
      ) : why.report ? (
        <>
          <Report why={why.report} />
          <Recalled message={why.message} />
        </>
      ) : (
        <p className="text-15 text-muted">Loading…</p>
      )}
    </WhyFrame>
  )
}

const KINDS: Record<FragmentKind, { name: string; colour: string }> = {
  soul: { name: 'Her soul', colour: 'var(--accent)' },
  tools: { name: 'Her tools', colour: 'var(--code-name)' },
  skills: { name: 'Her skills', colour: 'var(--code-type)' },
  date: { name: 'The date', colour: 'var(--code-type)' },
  tone: { name: 'How she is', colour: 'var(--accent)' },
  summary: { name: 'Summary', colour: 'var(--code-number)' },
  context: { name: 'Context', colour: 'var(--code-string)' },
  history: { name: 'Earlier messages', colour: 'var(--code-keyword)' },
  results: { name: 'Tool results', colour: 'var(--ok)' },
  user: { name: 'You', colour: 'var(--blue)' },
  assistant: { name: 'Her answer', colour: 'var(--faint)' },
}

function Report({ why }: { why: Why }) {
  const total = useMemo(() => Math.max(1, why.fragments.reduce((sum, part) => sum + part.tokens, 0)), [why])
  const most = Math.max(1, ...why.fragments.map((part) => part.tokens))
  const { usage, timings } = why
  if (why.fragments.length === 0) return <p className="text-15 text-muted">No model took part in this, so there was nothing to read.</p>
  const speed = timings.decodeMs > 0 ? (usage.completionTokens / timings.decodeMs) * 1000 : 0
  return (
    <>
      <p className="text-13 text-muted">
        {why.model} read {plural(usage.promptTokens, 'token')}
        {usage.cachedTokens > 0 && `, ${count(usage.cachedTokens)} of them known from before,`} and wrote {count(usage.completionTokens)}
        {speed > 0 && ` at ${count(speed)} a second`}.
      </p>
      <Times timings={timings} />
      <h3 className="pt-7 pb-2 text-12 text-faint">What she read, in this order</h3>
      <div className="flex h-1.5 gap-px overflow-hidden rounded-full" aria-hidden="true">
        {why.fragments.map((part, index) => (
          <span key={index} style={{ flexGrow: part.tokens / total, background: KINDS[part.kind].colour }} />
        ))}
      </div>
      <ol className="mt-3 flex flex-col">
        {why.fragments.map((part, index) => (
          <Part key={index} part={part} share={part.tokens / most} />
        ))}
      </ol>
    </>
  )
}

/** The recalled memories, with the parts of each score. */
function Recalled({ message }: { message: MessageId }) {
  const items = useStore((state) => (state.route.page === 'chat' ? state.conversations[state.route.id]?.messages.find(({ id }) => id === message)?.memory : undefined))
  if (!items || items.length === 0) return null
  return (
    <section aria-label="What she remembered">
      <h3 className="pt-7 pb-1 text-12 text-faint">What she remembered, best first</h3>
      <RecalledItems items={items} parts />
    </section>
  )
}

function Times({ timings }: { timings: Why['timings'] }) {
  const steps = [
    { name: 'Waiting', ms: timings.queuedMs },
    { name: 'Gathering', ms: timings.contextMs },
    { name: 'Reading', ms: timings.prefillMs },
    { name: 'Writing', ms: timings.decodeMs },
  ].filter((step) => step.ms > 0)
  const longest = Math.max(1, ...steps.map((step) => step.ms))
  return (
    <dl className="mt-4 grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1.5 text-13">
      {steps.map((step) => (
        <div key={step.name} className="contents">
          <dt className="text-muted">{step.name}</dt>
          <dd className="contents">
            <span className="h-1 rounded-full bg-[color-mix(in_oklab,var(--text)_10%,transparent)]" aria-hidden="true">
              <span className="block h-full rounded-full bg-muted" style={{ width: `${Math.max(1, (step.ms / longest) * 100)}%` }} />
            </span>
            <span className="text-end text-faint">{step.ms < 1000 ? `${step.ms} ms` : duration(step.ms)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Part({ part, share }: { part: Fragment; share: number }) {
  const [open, setOpen] = useState(false)
  const kind = KINDS[part.kind]
  return (
    <li className="border-b border-hairline last:border-0">
      {/* Earlier messages are visible in the conversation, so there is nothing to open. */}
      <button
        type="button"
        aria-expanded={open}
        disabled={part.text === ''}
        onClick={() => setOpen(!open)}
        className="block w-full rounded-control py-2.5 text-start disabled:opacity-100"
      >
        <span className="flex items-center gap-2 text-13">
          <ChevronRight
            size={14}
            className={classNames('text-faint transition-transform duration-200', open && 'rotate-90', part.text === '' && 'invisible')}
          />
          <span>{kind.name}</span>
          <span className="min-w-0 flex-1 truncate text-faint">{part.source}</span>
          <span className="text-faint">{count(part.tokens)}</span>
        </span>
        <span className="mt-1.5 ms-[1.375rem] block h-1 rounded-full bg-[color-mix(in_oklab,var(--text)_8%,transparent)]" aria-hidden="true">
          <span className="block h-full rounded-full" style={{ width: `${Math.max(1, share * 100)}%`, background: kind.colour }} />
        </span>
      </button>
      {open && (
        <pre tabIndex={0} dir="auto" className="mb-3 ms-[1.375rem] max-h-80 overflow-y-auto rounded-card bg-well p-3 font-mono text-12 whitespace-pre-wrap wrap-anywhere text-muted">
          {part.text}
        </pre>
      )}
    </li>
  )
}
