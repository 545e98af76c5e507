import { Composer } from '@/composer/Composer'
import { useTalk, Words } from '@/chat/Talk'
import { NoModel } from '@/models/NoModel'
import { TrialNote } from '@/models/TrialNote'
import { useStore } from '@/store'
import { greeting } from '../../greeting'

/** The conversation as in the `dev` view, in less space. */
export function TalkPanel() {
  const talk = useTalk()
  const name = useStore((state) => state.herName)
  return (
    <div className="@container flex h-full flex-col">
      <Words
        talk={talk}
        empty={
          <div className="flex min-h-0 flex-1 flex-col justify-end px-5 pb-6">
            <p className="display text-22">{greeting(new Date().getHours())}</p>
            <p className="mt-1 text-15 text-muted">Write to {name} below.</p>
            <NoModel className="mt-4 flex flex-col items-start gap-3 text-15" />
            <TrialNote className="mt-3" />
          </div>
        }
      />
      {!talk.gone && <Composer key={`composer ${talk.place}`} place={talk.place} />}
    </div>
  )
}
