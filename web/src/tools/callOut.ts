import { raise } from '@/shell/raise'
import { field } from './words'

/** `notify`: what she has to say reaches a person who looks elsewhere, too. */
export function callOut(id: string, payload: unknown, herName: string): void {
  raise(id, field(payload, 'title') || herName, field(payload, 'text'))
}
