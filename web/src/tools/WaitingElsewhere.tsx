import { CircleHelp } from 'lucide-react'
import { useMemo } from 'react'
import type { ConversationId } from '@/api/protocol.gen'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { Countdown } from './Countdown'

/** More are counted, not named. */
const MOST_NAMED = 2

/** She asks something in a conversation that is not on the screen. */
export function WaitingElsewhere() {
  const questions = useStore((state) => state.questions)
  const open = useStore((state) => (state.route.page === 'chat' ? state.route.id : null))
  const name = useStore((state) => state.herName)
  const chats = useMemo(() => {
    const first = new Map<ConversationId, string>()
    for (const { conversationId, confirmation } of questions) {
      if (conversationId !== open && !first.has(conversationId)) first.set(conversationId, confirmation.until)
    }
    return [...first]
  }, [questions, open])
  const [next] = chats
  if (!next) return <div role="status" />
  const rest = chats.length - MOST_NAMED
  return (
    <div
      role="status"
      className="flex shrink-0 animate-appear flex-wrap items-center justify-center gap-x-3 gap-y-0.5 bg-[color-mix(in_oklab,var(--accent)_9%,var(--ground))] px-4 py-1.5 text-13"
    >
      <CircleHelp size={15} className="text-accent-text max-sm:hidden" />
      <span className="min-w-0 text-center">
        {name} waits for your answer in{' '}
        {chats.slice(0, MOST_NAMED).map(([id], index) => (
          <span key={id}>
            {index > 0 && (rest > 0 ? ', ' : ' and ')}
            <ChatLink id={id} />
          </span>
        ))}
        {rest > 0 && ` and ${rest} more`}
      </span>
      <Countdown until={next[1]} />
    </div>
  )
}

function ChatLink({ id }: { id: ConversationId }) {
  const title = useStore((state) => state.chats.find((chat) => chat.id === id)?.title ?? state.conversations[id]?.chat?.title)
  return (
    <a href={fragmentOf({ page: 'chat', id })} className="font-medium text-text underline decoration-1 underline-offset-3 wrap-anywhere">
      <bdi>{title || 'another conversation'}</bdi>
    </a>
  )
}
