import { HatGlasses } from 'lucide-react'
import { useMemo } from 'react'
import { Face } from '@/design/Moon'
import { useStore } from '@/store'
import { greeting } from '@/views/greeting'

const STARTERS = [
  'Explain something I always wanted to understand',
  'Help me plan a quiet weekend',
  'Read a text with me and find its weak spots',
  'Write a small program and explain each line',
]

/** Before the first word. */
export function EmptyChat({ place }: { place: string }) {
  const words = useMemo(() => greeting(new Date().getHours()), [])
  const name = useStore((state) => state.herName)
  const { setText, callComposer } = useStore.getState()
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-center-safe overflow-y-auto px-6 py-8">
      <div className="mx-auto w-full max-w-[43.5rem]">
        <Face size={56} />
        <h1 className="display mt-5 text-30 sm:text-44">{words}</h1>
        <p className="mt-2 text-17 text-muted">I’m {name}. I live on this machine, and what we say stays here.</p>
        <ul className="mt-8 -ml-3 flex flex-col items-start" aria-label="Ways to begin">
          {STARTERS.map((text) => (
            <li key={text}>
              <button
                type="button"
                onClick={() => {
                  setText(place, `${text}: `)
                  callComposer()
                }}
                className="rounded-control px-3 py-1.5 text-start text-15 text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:py-2.5"
              >
                {text}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

const PROMISES = [
  'She learns nothing from it, and it is not in the list, the search or the backups.',
  'What you type is not kept as a draft.',
  'When you leave, close it or shut the page, it is gone. Nobody asks twice.',
]

/** Before the first word of a conversation that leaves nothing. */
export function EmptyIncognito() {
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-center-safe overflow-y-auto px-6 py-8">
      <div className="mx-auto w-full max-w-[43.5rem]">
        <span className="grid size-14 place-items-center rounded-full bg-[color-mix(in_oklab,var(--blue)_14%,transparent)] text-blue">
          <HatGlasses size={26} />
        </span>
        <h1 className="display mt-5 text-30 sm:text-44">Between us, and gone.</h1>
        <p className="mt-2 text-17 text-muted">This conversation leaves nothing behind.</p>
        <ul className="mt-6 flex max-w-(--measure) flex-col gap-2 text-15 text-muted">
          {PROMISES.map((text) => (
            <li key={text} className="flex gap-3">
              <span aria-hidden="true" className="mt-2.5 size-1 shrink-0 rounded-full bg-blue" />
              {text}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
