import { X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { QUESTION_CARD } from '@/actions/registry'
import type { ConversationId } from '@/api/protocol.gen'
import { Boundary } from '@/design/Boundary'
import { Button } from '@/design/Button'
import { hasMouse } from '@/design/media'
import { useStore } from '@/store'
import { Countdown } from './Countdown'
import { toolIcon } from './icons'
import { QuestionCard } from './QuestionCard'
import type { Question } from './questionSlice'
import { heading, phrase, approvalKind } from './wording'

/** The pending confirmations above the composer: one is open, the others wait in a list. */
export function Questions({ chat, onEmptied = toComposer, edge = 'px-3 sm:px-6' }: { chat: ConversationId; onEmptied?: () => void; edge?: string }) {
  const all = useStore((state) => state.questions)
  const questions = useMemo(() => all.filter((question) => question.conversationId === chat), [all, chat])
  return (
    <Boundary fallback={<Unreadable questions={questions} />} resetOn={questions.map(({ confirmation }) => confirmation.id).join(' ')}>
      <Asked questions={questions} edge={edge} onEmptied={onEmptied} />
    </Boundary>
  )
}

const toComposer = () => useStore.getState().focusComposer()

/**
 * The fallback if a confirmation cannot be rendered: it can only be denied, and the rest of the page keeps
 * working.
 */
function Unreadable({ questions }: { questions: Question[] }) {
  const { answerQuestion } = useStore.getState()
  return (
    <div role="alert" className="mx-auto flex w-full max-w-[46rem] flex-wrap items-center gap-3 px-3 pb-3 text-13 text-muted sm:px-6">
      <p className="min-w-48 flex-1">She asks for something that cannot be shown here. Nothing happens without a yes.</p>
      <Button icon={<X size={15} />} onClick={() => questions.forEach(({ confirmation }) => void answerQuestion(confirmation.id, false))}>
        Don’t allow
      </Button>
    </div>
  )
}

function Asked({ questions, edge, onEmptied }: { questions: Question[]; edge: string; onEmptied: () => void }) {
  const name = useStore((state) => state.companionName)
  const [chosen, setChosen] = useState<string | null>(null)
  const open = questions.find(({ confirmation }) => confirmation.id === chosen) ?? questions[0]
  const held = useRef(false)
  const emptied = useRef(onEmptied)

  useEffect(() => {
    const watch = () => {
      held.current = document.activeElement?.closest(`#${QUESTION_CARD}`) !== null && document.activeElement !== null
    }
    document.addEventListener('focusin', watch)
    return () => document.removeEventListener('focusin', watch)
  }, [])
  useEffect(() => {
    // After the last answer the focus returns to its previous place.
    if (open || !held.current) return
    held.current = false
    if (hasMouse()) emptied.current()
  }, [open])

  return (
    // With little space this area shrinks before the composer does.
    <div className={`flex min-h-0 flex-col ${edge}`}>
      <p role="alert" className="sr-only">
        {open && announcement(name, open)}
      </p>
      {open && (
        <div className="mx-auto flex min-h-0 w-full max-w-[46rem] flex-col gap-1.5 pb-3">
          {questions.length > 1 && (
            <ul aria-label="Other questions that wait" className="flex max-h-23 shrink-0 flex-col gap-1 overflow-y-auto">
              {questions
                .filter((question) => question !== open)
                .map((question) => (
                  <li key={question.confirmation.id}>
                    <Waiting question={question} onOpen={() => setChosen(question.confirmation.id)} />
                  </li>
                ))}
            </ul>
          )}
          <QuestionCard key={`${open.confirmation.id} ${open.confirmation.until}`} question={open} />
        </div>
      )}
    </div>
  )
}

function announcement(name: string, { confirmation }: Question): string {
  const warning = confirmation.tainted ? ` Careful: ${confirmation.why}` : ''
  return `${heading(name, confirmation)}${warning} In the question, ${approvalKind(confirmation) === 'page' ? 'Y says that you have done it and N that you will not now' : 'Y allows it and N does not'}.`
}

function Waiting({ question, onOpen }: { question: Question; onOpen: () => void }) {
  const { tool, args, until } = question.confirmation
  const { does, what } = phrase(tool, args, 'waiting')
  const Icon = toolIcon(tool)
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex h-9 w-full items-center gap-2.5 rounded-card bg-[color-mix(in_oklab,var(--text)_5%,transparent)] px-3.5 text-start text-13 text-muted transition-colors hover:bg-[color-mix(in_oklab,var(--text)_9%,transparent)] pointer-coarse:h-11"
    >
      <Icon size={15} className="text-faint" />
      <span className="min-w-0 flex-1 truncate">
        {does} {what !== '' && <bdi className="text-text">{what}</bdi>}
      </span>
      <Countdown until={until} />
    </button>
  )
}
