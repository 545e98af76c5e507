import { CodeXml, Compass, HatGlasses, Laugh, Lightbulb, type LucideIcon, PenLine, Utensils } from 'lucide-react'
import { useMemo } from 'react'
import { Face } from '@/design/Moon'
import { NoModel, useNoModel } from '@/models/NoModel'
import { TrialNote } from '@/models/TrialNote'
import { isTrial } from '@/models/wording'
import { useStore } from '@/store'
import { greeting } from '@/views/greeting'

interface Suggestion {
  icon: LucideIcon
  title: string
  text: string
}

const SUGGESTIONS: Suggestion[] = [
  { icon: Lightbulb, title: 'Explain', text: 'Why does the moon always show us the same face?' },
  { icon: Compass, title: 'Plan', text: 'Plan a quiet weekend by the sea, on a small budget.' },
  { icon: PenLine, title: 'Write', text: 'Write a short, friendly note to a neighbour about the noise.' },
  { icon: CodeXml, title: 'Code', text: 'Write a script that sorts my photos by the day they were taken.' },
]

/**
 * The suggestions for a trial model. It was tested repeatedly on each of these and answers them sensibly; the
 * regular ones are beyond it.
 */
const FOR_TRYING: Suggestion[] = [
  { icon: Lightbulb, title: 'Explain', text: 'What is a rainbow?' },
  { icon: Utensils, title: 'Cook', text: 'Give me an idea for dinner.' },
  { icon: PenLine, title: 'Write', text: 'Write a short poem about the night.' },
  { icon: Laugh, title: 'Laugh', text: 'Tell me a joke.' },
]

/** The view of a conversation without messages: the avatar, a greeting and suggestions. */
export function EmptyChat({ draftKey }: { draftKey: string }) {
  const words = useMemo(() => greeting(new Date().getHours()), [])
  const name = useStore((state) => state.companionName)
  const missing = useNoModel()
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center-safe overflow-y-auto px-4 py-6 text-center sm:px-6">
      <Face size={72} mood={missing === 'failed' ? 'sorry' : 'calm'} />
      <h1 className="display mt-5 text-30 text-balance sm:text-44">{words}</h1>
      <p className="mt-2 max-w-[34rem] text-15 text-pretty text-muted sm:text-17">I’m {name}. I live on this machine, and what we say stays here.</p>
      {missing ? <NoModel className="mt-7 flex flex-col items-center gap-4 text-15" /> : <Suggestions draftKey={draftKey} />}
      <TrialNote className="mt-6 justify-center" />
    </div>
  )
}

/** The suggestions. Each fills the composer, where it can be edited before it is sent. */
function Suggestions({ draftKey }: { draftKey: string }) {
  const trying = useStore(({ models }) => models !== null && isTrial(models))
  const { setText, focusComposer } = useStore.getState()
  return (
    <ul className="mt-8 grid w-full max-w-[41rem] grid-cols-2 gap-2.5 sm:gap-3" aria-label="Suggestions">
      {(trying ? FOR_TRYING : SUGGESTIONS).map(({ icon: Icon, title, text }) => (
        <li key={title}>
          <button
            type="button"
            onClick={() => {
              setText(draftKey, text)
              focusComposer()
            }}
            className="flex size-full flex-col rounded-panel bg-raised px-4 py-3.5 text-start shadow-lit transition-colors hover:bg-[color-mix(in_oklab,var(--text)_4%,var(--raised))]"
          >
            <span className="flex items-center gap-2 text-13 font-medium">
              <Icon size={16} aria-hidden="true" className="text-accent-text" />
              {title}
            </span>
            <span className="mt-1 text-13 text-pretty text-muted">{text}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const PROMISES = [
  'She learns nothing from it, and it is left out of the list, the search and the backups.',
  'What you type is not kept as a draft.',
  'When you leave or close the page, it is gone. You won’t be asked twice.',
]

/** The view of an incognito conversation without messages. */
export function EmptyIncognito() {
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-center-safe overflow-y-auto px-6 py-8">
      <div className="mx-auto w-full max-w-[43.5rem]">
        <span className="grid size-14 place-items-center rounded-full bg-[color-mix(in_oklab,var(--blue)_14%,transparent)] text-blue">
          <HatGlasses size={26} />
        </span>
        <h1 className="display mt-5 text-30 sm:text-44">Just between us.</h1>
        <p className="mt-2 text-17 text-muted">This conversation leaves nothing behind.</p>
        <ul className="mt-6 flex max-w-(--measure) flex-col gap-2 text-15 text-muted">
          {PROMISES.map((text) => (
            <li key={text} className="flex gap-3">
              <span aria-hidden="true" className="mt-2.5 size-1 shrink-0 rounded-full bg-blue" />
              {text}
            </li>
          ))}
        </ul>
        <TrialNote className="mt-6" />
      </div>
    </div>
  )
}
