import { raise } from '@/shell/raise'
import { field } from './words'

/** `notify`: what she has to say reaches a person who looks elsewhere, too. */
export function callOut(id: string, payload: unknown): void {
  raise(id, field(payload, 'title') || 'Luna', field(payload, 'text'))
}
