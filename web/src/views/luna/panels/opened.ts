import type { Act, Message, MessageId } from '@/api/protocol.gen'
import { opensContent } from '@/chat/ActList'
import type { AppState } from '@/store/state'

/** Content that the companion opened, with its message. */
export interface OpenedAct {
  message: MessageId
  act: Act
}

export type Kind = 'map' | 'weather' | 'widgets'

const NONE: OpenedAct[] = []
/** A cache by messages array, since the content is requested with every change of the store. */
const known = new WeakMap<Message[], Record<Kind, OpenedAct[]>>()

function kindOf({ command }: Act): Kind {
  return command?.action === 'map' || command?.action === 'weather' ? command.action : 'widgets'
}

/** Returns what the companion opened in the current conversation, newest first. */
export function shownActs({ route, conversations }: Pick<AppState, 'route' | 'conversations'>, kind: Kind): OpenedAct[] {
  const messages = route.page === 'chat' ? conversations[route.id]?.messages : undefined
  if (!messages) return NONE
  const found = known.get(messages)
  if (found) return found[kind]
  const all: Record<Kind, OpenedAct[]> = { map: [], weather: [], widgets: [] }
  for (const message of messages) for (const act of message.acts) if (opensContent(act)) all[kindOf(act)].unshift({ message: message.id, act })
  known.set(messages, all)
  return all[kind]
}
