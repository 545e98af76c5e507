import type { Act, Confirmation, Event, Message, ToolStatus } from '@/api/protocol.gen'

type ToolEvent = Extract<Event, { type: 'tool' }>
type CommandEvent = Extract<Event, { type: 'command' }>

/** Returns true if the status is final. */
export function isSettled(status: ToolStatus): boolean {
  return status === 'done' || status === 'failed' || status === 'denied' || status === 'blocked'
}

/**
 * Returns the message after a tool call event. The call is placed where it was made, or at the end of the
 * text when it was first reported.
 */
export function withTool(message: Message, event: ToolEvent): Message {
  const at = Math.min(event.at ?? message.content.length, message.content.length)
  return change(message, event.id, { name: event.name, args: event.args, status: event.status, at }, (act) => {
    // After a broken connection, known events may arrive again.
    if (isSettled(act.status) && !isSettled(event.status)) return act
    return { ...act, name: event.name, args: event.args ?? act.args, status: event.status, result: event.result ?? act.result, ms: event.ms ?? act.ms }
  })
}

export function withCommand(message: Message, { id, action, payload }: CommandEvent): Message {
  return change(message, id, { name: action, status: 'done' }, (act) => ({ ...act, command: { action, payload } }))
}

/**
 * Returns the message after a confirmation request. A request from within a running call has a numbered id
 * such as `c1.2` and belongs to that call.
 */
export function withQuestion(message: Message, { id, tool, args }: Confirmation): Message {
  const is = (wanted: string) => message.acts.some((act) => act.id === wanted)
  const call = id.replace(/\.\d+$/, '')
  const asker = !is(id) && is(call) ? call : id
  return change(message, asker, { name: tool, args, status: 'waiting' }, (act) => (isSettled(act.status) ? act : { ...act, status: 'waiting' }))
}

function change(message: Message, id: string, first: Partial<Act>, next: (act: Act) => Act): Message {
  const known = message.acts.find((act) => act.id === id)
  if (known) return { ...message, acts: message.acts.map((act) => (act === known ? next(act) : act)) }
  const added = next({ ...blank(id, message.content.length), ...first })
  return { ...message, acts: [...message.acts, added].sort((one, other) => one.at - other.at) }
}

function blank(id: string, at: number): Act {
  return { id, name: '', args: {}, status: 'running', result: null, ms: null, command: null, at, pinned: false }
}
