import type { Message } from '@/api/protocol.gen'
import { dayOf } from '@/design/format'

/** A user message with its reply, which are read together. */
export interface TurnGroup {
  key: string
  messages: Message[]
  /** True for the first turn of its day, if the date is worth showing. */
  opensDay: boolean
}

/**
 * Groups messages into turns. Groups unchanged since `before` are the same objects, so that they are not
 * rendered again.
 */
export function groupTurns(messages: Message[], now: Date, before: TurnGroup[] = []): TurnGroup[] {
  const groups = group(messages, now)
  return groups.map((made, index) => {
    const known = before[index]
    const same =
      known?.key === made.key &&
      known.opensDay === made.opensDay &&
      known.messages.length === made.messages.length &&
      known.messages.every((message, at) => message === made.messages[at])
    return same ? known : made
  })
}

function group(messages: Message[], now: Date): TurnGroup[] {
  const groups: TurnGroup[] = []
  // A conversation that began today needs no date.
  let day = dayOf(now)
  for (const message of messages) {
    const last = groups.at(-1)
    if (message.role === 'assistant' && last) {
      groups[groups.length - 1] = { ...last, messages: [...last.messages, message] }
      continue
    }
    const today = dayOf(new Date(message.createdAt))
    groups.push({ key: message.id, messages: [message], opensDay: today !== day })
    day = today
  }
  return groups
}
