import { showDesktopNotification } from '@/shell/desktopNotification'
import { field } from './wording'

/** Shows the message of a `notify` tool call to a user who is looking elsewhere. */
export function showToolNotification(id: string, payload: unknown, companionName: string): void {
  showDesktopNotification(id, field(payload, 'title') || companionName, field(payload, 'text'))
}
