import { own } from '@/design/own'
import { FIELDS } from './fields'

/** Returns the origin of a value that is not the default, or null. */
export function settingOrigin(from: string): string | null {
  switch (from) {
    case 'file':
      return 'Changed'
    case 'environment':
      return 'Set by the environment'
    case 'flag':
      return 'Set by the command line'
    default:
      return null
  }
}

/** Returns the reason why a value cannot be changed here, or null. */
export function locked(from: string): string | null {
  if (from === 'environment') return 'An environment variable decides this. Change it there, and start Perigee again.'
  if (from === 'flag') return 'A command-line flag decides this. Leave it out, and start Perigee again.'
  return null
}

/** Formats the value of a setting for the user. */
export function shown(key: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'not set'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : value.map(String).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return own(own(FIELDS, key)?.choices ?? {}, String(value)) ?? String(value)
}
