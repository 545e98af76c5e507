import { Composer } from '@/composer/Composer'
import { useOpenChat, ConversationBody } from '@/chat/OpenChat'
import { NoModel } from '@/models/NoModel'
import { TrialNote } from '@/models/TrialNote'
import { useStore } from '@/store'
import { greeting } from '../../greeting'

/** The conversation as in the `dev` view, in less space. */
export function ConversationPanel() {
  const chat = useOpenChat()
  const name = useStore((state) => state.companionName)
  return (
    <div className="@container flex h-full flex-col">
      <ConversationBody
        chat={chat}
        empty={
          <div className="flex min-h-0 flex-1 flex-col justify-end px-5 pb-6">
            <p className="display text-22">{greeting(new Date().getHours())}</p>
            <p className="mt-1 text-15 text-muted">Write to {name} below.</p>
            <NoModel className="mt-4 flex flex-col items-start gap-3 text-15" />
            <TrialNote className="mt-3" />
          </div>
        }
      />
      {!chat.gone && <Composer key={`composer ${chat.draftKey}`} draftKey={chat.draftKey} />}
    </div>
  )
}
