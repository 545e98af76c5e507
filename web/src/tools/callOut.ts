import { raise } from '@/shell/raise'
import { field } from './words'

/** Shows the message of a `notify` tool call to a user who is looking elsewhere. */
export function callOut(id: string, payload: unknown, herName: string): void {
  raise(id, field(payload, 'title') || herName, field(payload, 'text'))
}
