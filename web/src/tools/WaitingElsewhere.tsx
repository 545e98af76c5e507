import { CircleHelp } from 'lucide-react'
import { useMemo } from 'react'
import type { ConversationId } from '@/api/protocol.gen'
import type { Try } from '@/servers/trySlice'
import { useServerStore } from '@/servers/useServerStore'
import { fragmentOf, type Route } from '@/shell/route'
import { useStore } from '@/store'
import { Countdown } from './Countdown'

/** The number of conversations listed by name; the others are counted. */
const MOST_NAMED = 2

/** A notice that a confirmation is pending in a conversation that is not on the screen. */
export function WaitingElsewhere() {
  const questions = useStore((state) => state.questions)
  const route = useStore((state) => state.route)
  const tries = useServerStore((state) => state.tries)
  const codeChats = useStore((state) => state.codeChats)
  const name = useStore((state) => state.companionName)
  const chats = useMemo(() => {
    const first = new Map<ConversationId, { route: Route; until: string }>()
    for (const { conversationId, confirmation } of questions) {
      const there = routeOf(conversationId, tries, codeChats)
      if (!isShown(route, there) && !isChat(route, conversationId) && !first.has(conversationId)) first.set(conversationId, { route: there, until: confirmation.until })
    }
    return [...first]
  }, [questions, route, tries, codeChats])
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
        {chats.slice(0, MOST_NAMED).map(([id, { route }], index) => (
          <span key={id}>
            {index > 0 && (rest > 0 ? ', ' : ' and ')}
            <RouteLink id={id} route={route} />
          </span>
        ))}
        {rest > 0 && ` and ${rest} more`}
      </span>
      <Countdown until={next[1].until} />
    </div>
  )
}

/**
 * Returns the page on which a confirmation is answered: its conversation, the workspace, or the server whose
 * tool was tried.
 */
function routeOf(id: ConversationId, tries: Record<string, Try>, codeChats: ConversationId[]): Route {
  const tried = Object.values(tries).find(({ chat }) => chat === id)
  if (tried) return { page: 'servers', name: tried.server }
  return codeChats.includes(id) ? { page: 'code', view: 'agent' } : { page: 'chat', id }
}

/** In the workspace a confirmation is visible in every view. */
const isShown = (here: Route, there: Route) => (there.page === 'code' ? here.page === 'code' : fragmentOf(there) === fragmentOf(here))
const isChat = (route: Route, id: ConversationId) => route.page === 'chat' && route.id === id

function RouteLink({ id, route }: { id: ConversationId; route: Route }) {
  const title = useStore((state) => state.chats.find((chat) => chat.id === id)?.title ?? state.conversations[id]?.chat?.title)
  const tried = route.page === 'servers' ? route.name : undefined
  return (
    <a href={fragmentOf(route)} className="font-medium text-text underline decoration-1 underline-offset-3 wrap-anywhere">
      <bdi>{tried ?? (route.page === 'code' ? 'the workspace' : title || 'another conversation')}</bdi>
    </a>
  )
}
