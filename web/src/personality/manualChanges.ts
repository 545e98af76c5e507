import type { Personality, Trait, TraitPatch } from '@/api/protocol.gen'
import { capital, percent } from '@/design/format'
import { listed } from '@/memory/wording'
import { SIDES } from './wording'

/** A change that the user made on this page. */
export interface ManualChange {
  /** A short description, shown after “Undo”. */
  what: string
  /** The manual settings after the change. */
  after: string
}

/** Returns what only the user sets: the rest value and the lock of each trait. */
export function manualState({ traits }: Personality): string {
  return JSON.stringify(traits.map(({ dimension, rest, locked }) => [dimension, rest, locked]))
}

export function changeText({ dimension, value, locked }: TraitPatch): string {
  const { title } = SIDES[dimension]
  if (value !== undefined) return `${title} set to ${percent(value)}`
  return `${title} ${locked ? 'locked' : 'unlocked'}`
}

/** Returns the last change on this page, or null if something was set elsewhere since. */
export function lastManualChange(personality: Personality, changes: ManualChange[]): ManualChange | null {
  const last = changes.at(-1)
  return last?.after === manualState(personality) ? last : null
}

/**
 * Describes what an undo restored. Undoing a manual change also undoes the moves since, so the manual
 * settings come first.
 */
export function undoneText(before: Personality, after: Personality): string {
  const pairs = after.traits.flatMap((now) => {
    const then = before.traits.find(({ dimension }) => dimension === now.dimension)
    return then && Object.hasOwn(SIDES, now.dimension) ? [{ then, now }] : []
  })
  const set = pairs.filter(({ then, now }) => then.rest !== now.rest || then.locked !== now.locked)
  const back = set.length > 0 ? set : pairs.filter(({ then, now }) => then.value !== now.value)
  const [only] = back
  if (only && back.length === 1) return `${sideBack(only.then, only.now)}.`
  const names = back.map(({ now }) => SIDES[now.dimension].title.toLowerCase())
  return names.length === 0 ? 'The change is undone.' : `${capital(listed(names))} are back where they were.`
}

function sideBack(then: Trait, now: Trait): string {
  const { title } = SIDES[now.dimension]
  if (then.rest === now.rest && then.locked !== now.locked) return `${title} is ${now.locked ? 'locked again' : 'no longer locked'}`
  return `${title} is back at ${percent(now.value)}`
}
