import { Check, ChevronDown, ShieldCheck, Terminal, Wrench, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { QUESTION_CARD } from '@/actions/registry'
import type { Confirmation, Remember } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'
import { Keys } from '@/design/Keys'
import { Menu, MenuItem } from '@/design/Menu'
import { BacktickText } from '@/design/BacktickText'
import { hostsFault } from '@/servers/hosts'
import { useStore } from '@/store'
import { omit } from '@/store/omit'
import { Countdown } from './Countdown'
import { FormFields, focusFault } from './FormFields'
import { type Fillings, initialOfAll, readFilled, readForm } from './form'
import { toolIcon } from './icons'
import { QuestionMatter } from './QuestionMatter'
import type { Question } from './questionSlice'
import { field, heading, makesServer, plain, confirmationText, type ApprovalKind, approvalKind } from './wording'

/**
 * The time after the card takes the focus in which Y is ignored: the key may have been meant for something
 * else.
 */
const CALM_MS = 700

type Settle = (approved: boolean, lasting?: Remember) => void

/** A confirmation request: the action, its arguments, the reason for asking, and the risks. */
export function QuestionCard({ question }: { question: Question }) {
  const { confirmation } = question
  const name = useStore((state) => state.companionName)
  const answer = useStore((state) => state.answerQuestion)
  const card = useRef<HTMLElement>(null)
  const deny = useRef<HTMLButtonElement>(null)
  const form = useForm(confirmation, card)
  const settle: Settle = (approved, remember) => {
    const filled = approved ? form.read() : undefined
    if (filled !== null) void answer(confirmation.id, approved, { remember, filled })
  }
  const press = useKeys(card, deny, confirmation, settle)
  return (
    <section
      ref={card}
      id={QUESTION_CARD}
      tabIndex={-1}
      aria-label={`${name} asks`}
      onKeyDown={press}
      className="group/question flex max-h-[min(34rem,62dvh)] max-sm:max-h-[74dvh] min-h-0 animate-rise flex-col rounded-panel bg-raised shadow-float outline-offset-0 touch:outline-none"
    >
      <Head name={name} confirmation={confirmation} />
      <QuestionMatter confirmation={confirmation}>
        {form.fields.length > 0 && (
          <div className="mb-3.5">
            <FormFields {...form} onEnter={() => settle(true)} />
          </div>
        )}
      </QuestionMatter>
      <Answers question={question} deny={deny} onSettle={settle} />
    </section>
  )
}

/**
 * Manages the form that comes with an approval. `read` returns null and shows the errors if the input is
 * invalid.
 */
function useForm({ tool, form: schema }: Confirmation, card: RefObject<HTMLElement | null>) {
  const fields = useMemo(() => (schema === undefined ? [] : readForm(schema)), [schema])
  const [fillings, setFillings] = useState<Fillings>(() => initialOfAll(fields))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const read = () => {
    if (schema === undefined) return undefined
    const { filled, faults } = readFilled(fields, fillings)
    // An approval ends the request, so invalid hosts are rejected here; otherwise the server that Luna wrote
    // would be lost.
    const wrong = makesServer(tool) ? hostsFault(field(filled, 'hosts')) : null
    const all = wrong === null ? faults : { ...faults, hosts: wrong }
    setFaults(all)
    if (Object.keys(all).length === 0) return filled
    focusFault(card.current)
    return null
  }
  const onChange = (name: string, filling: Fillings[string]) => {
    setFillings((before) => ({ ...before, [name]: filling }))
    setFaults((before) => omit(before, name))
  }
  return { fields, fillings, faults, onChange, read }
}

/**
 * Focuses the card unless the focus is needed elsewhere, and handles the keys Y and N while it has the focus.
 */
function useKeys(card: RefObject<HTMLElement | null>, deny: RefObject<HTMLElement | null>, { id, tainted }: Confirmation, settle: Settle) {
  const calmUntil = useRef(0)
  useEffect(() => {
    if (isOccupied()) return
    calmUntil.current = performance.now() + CALM_MS
    const target = tainted ? deny.current : card.current
    target?.focus({ preventScroll: true })
  }, [card, deny, id, tainted])

  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !card.current?.contains(event.target as Node)) return
    const key = event.key.toLowerCase()
    if ((key !== 'y' && key !== 'n') || (event.target as Element).matches(WRITING)) return
    event.preventDefault()
    if (key === 'n') settle(false)
    else if (performance.now() > calmUntil.current) settle(true)
  }
}

const WRITING = 'textarea, select, input:not([type=checkbox], [type=radio], [type=button]), [contenteditable]:not([contenteditable=false])'

/**
 * Returns true while the user is writing or a dialog or menu is open: the focus must stay there, so that
 * typing does not answer the request.
 */
function isOccupied(): boolean {
  const active = document.activeElement
  const writing = active?.matches(WRITING) ?? false
  return writing || document.querySelector('[role=dialog], [role=menu]') !== null
}

function Head({ name, confirmation }: { name: string; confirmation: Confirmation }) {
  const Icon = toolIcon(confirmation.tool)
  const { first } = confirmationText(confirmation)
  return (
    <header className="flex shrink-0 items-start gap-3 px-4 pt-3.5 sm:px-5">
      <Icon size={17} className="mt-[3px] text-accent-text" />
      <div className="min-w-0 flex-1">
        <h2 className="line-clamp-3 text-15 font-medium wrap-anywhere" dir="auto">
          {heading(name, confirmation)}
        </h2>
        {first !== '' && (
          <p className="text-13 wrap-anywhere text-muted" dir="auto">
            <BacktickText text={plain(first)} />
          </p>
        )}
      </div>
      <Countdown until={confirmation.until} />
    </header>
  )
}

const ANSWERS: Record<ApprovalKind, { no: string; yes: string }> = {
  leave: { no: 'Don’t allow', yes: 'Allow' },
  model: { no: 'Don’t allow', yes: 'Allow' },
  words: { no: 'Don’t answer', yes: 'Send' },
  page: { no: 'Not now', yes: 'I have done it' },
}

interface AnswersProps {
  question: Question
  deny: RefObject<HTMLButtonElement | null>
  onSettle: Settle
}

function Answers({ question: { confirmation, answering, trouble }, deny, onSettle }: AnswersProps) {
  const busy = answering !== null
  const { no, yes } = ANSWERS[approvalKind(confirmation)]
  return (
    <footer className="flex shrink-0 flex-wrap items-center gap-2 px-4 pt-1 pb-3.5 sm:px-5">
      {trouble && (
        <p role="alert" className="basis-full pb-1 text-13 text-danger">
          <BacktickText text={trouble} /> Your answer did not get through: try again.
        </p>
      )}
      <Answer ref={deny} label={no} keys="n" icon={<X size={15} />} busy={busy} onClick={() => onSettle(false)} />
      <Answer label={yes} keys="y" icon={<Check size={15} />} busy={busy} onClick={() => onSettle(true)} />
      {!confirmation.tainted && !confirmation.everyTime && <ForGood rule={confirmation.rule} busy={busy} onSettle={onSettle} />}
      {busy && (
        <p role="status" className="text-13 text-faint">
          {answering === 'yes' ? 'Allowing…' : 'Declining…'}
        </p>
      )}
    </footer>
  )
}

function ForGood({ rule, busy, onSettle }: { rule: string | undefined; busy: boolean; onSettle: Settle }) {
  const trigger = (
    <button
      type="button"
      aria-disabled={busy}
      className="flex h-9 items-center gap-1.5 rounded-control px-2.5 text-13 text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:h-11 max-sm:basis-full max-sm:justify-center"
    >
      Always
      <ChevronDown size={14} />
    </button>
  )
  return (
    <Menu label="Allow for good" side="top" trigger={trigger}>
      {rule !== undefined && (
        <MenuItem icon={<Terminal size={15} />} onSelect={() => onSettle(true, 'rule')}>
          Always allow <code className="font-mono text-12">{plain(rule)}</code> here
        </MenuItem>
      )}
      <MenuItem icon={<Wrench size={15} />} onSelect={() => onSettle(true, 'tool')}>
        Always allow this tool
      </MenuItem>
      <MenuItem icon={<ShieldCheck size={15} />} onSelect={() => onSettle(true, 'arguments')}>
        Always allow exactly this
      </MenuItem>
    </Menu>
  )
}

interface AnswerProps {
  label: string
  keys: string
  icon: ReactNode
  busy: boolean
  onClick: () => void
  ref?: React.Ref<HTMLButtonElement>
}

/** An answer button. Yes and no have the same size and weight. */
function Answer({ label, keys, icon, busy, onClick, ref }: AnswerProps) {
  return (
    <button
      ref={ref}
      type="button"
      // A disabled button would lose the focus, and with it the keyboard shortcuts.
      aria-disabled={busy}
      onClick={onClick}
      aria-keyshortcuts={keys}
      className={classNames(
        'flex h-9 flex-1 items-center justify-center gap-2 rounded-control px-4 text-13 font-medium whitespace-nowrap transition-colors sm:max-w-44 pointer-coarse:h-11',
        busy && 'opacity-60',
        'bg-[color-mix(in_oklab,var(--text)_9%,transparent)] hover:bg-[color-mix(in_oklab,var(--text)_14%,transparent)]',
      )}
    >
      {icon}
      {label}
      {/* The letter keys answer only while the focus is inside the question. */}
      <span className="opacity-45 transition-opacity group-focus-within/question:opacity-100 touch:hidden" aria-hidden="true">
        <Keys keys={keys} />
      </span>
    </button>
  )
}
