import { Composer } from '@/composer/Composer'
import { useTalk, Words } from '@/chat/Talk'
import { useStore } from '@/store'
import { greeting } from '../../greeting'

/** The conversation as on the desk, in less room. */
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
            <p className="mt-1 text-15 text-muted">Write to {name}, and it begins here.</p>
          </div>
        }
      />
      {!talk.gone && <Composer key={`composer ${talk.place}`} place={talk.place} />}
    </div>
  )
}
