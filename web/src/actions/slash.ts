import type { AppState } from '@/store/state'
import { type Action, ACTIONS, available } from './registry'

/** Parses `/name rest` if the whole text is a command. A path such as `/etc/hosts` is not one. */
export function parseSlash(text: string): { name: string; argument: string; typingName: boolean } | null {
  const match = /^\/([a-z]*)([^\S\n][^\n]*)?$/i.exec(text)
  if (!match) return null
  return { name: (match[1] ?? '').toLowerCase(), argument: (match[2] ?? '').trim(), typingName: match[2] === undefined }
}

/** Returns the commands that match a partly typed text, best first. */
export function suggestions(text: string, state: AppState): Action[] {
  const typed = parseSlash(text)
  if (!typed) return []
  const usable = available(state).filter((action) => action.slash)
  if (!typed.typingName) return usable.filter((action) => action.slash?.name === typed.name)
  const starting = usable.filter((action) => action.slash?.name.startsWith(typed.name))
  const elsewhere = usable.filter(
    (action) => !starting.includes(action) && typed.name !== '' && action.title.toLowerCase().includes(typed.name),
  )
  return [...starting, ...elsewhere]
}

export type SlashOutcome =
  | { kind: 'text' }
  | { kind: 'run'; action: Action; argument: string }
  | { kind: 'unavailable'; action: Action }
  | { kind: 'unknown'; name: string }

/** Decides what Enter does with a text: run a command, or send it. */
export function interpret(text: string, state: AppState): SlashOutcome {
  const typed = parseSlash(text.trim())
  if (!typed || typed.name === '') return { kind: 'text' }
  const action = ACTIONS.find((candidate) => candidate.slash?.name === typed.name)
  if (!action) return { kind: 'unknown', name: typed.name }
  if (!(action.when?.(state) ?? true)) return { kind: 'unavailable', action }
  return { kind: 'run', action, argument: typed.argument }
}
