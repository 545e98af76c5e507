import type { Message, StopReason, Usage } from '@/api/protocol.gen'
import { capital, count, duration, plural, roughTimeLeft } from '@/design/format'
import type { LiveTurn } from './live'

/** Describes the activity before the first text. */
export function activity(live: LiveTurn, waitedMs: number): string {
  if (live.lineLost) return 'The connection broke. Reconnecting; nothing is lost…'
  if (live.stopping) return 'Stopping…'
  if (live.progress) {
    const { stage, done, total, secondsLeft } = live.progress
    const left = secondsLeft ? `, ${roughTimeLeft(secondsLeft)}` : ''
    const part = total > 0 ? ` ${Math.min(100, Math.floor((done / total) * 100))} %${left}` : ''
    if (stage === 'reading' || stage === 'prefill') return `Reading the conversation…${part}`
    if (stage === 'loading') return `Loading the model…${part}`
    if (stage === 'waiting' || stage === 'queued') return 'Waiting for her other answers…'
    return `${capital(stage)}…${part}`
  }
  return waitedMs > 900 ? 'Thinking…' : ''
}

/** Returns true if the reply failed, before or after its first text. */
export function isTroubled({ status, error }: Pick<Message, 'status' | 'error'>): boolean {
  return status === 'failed' || error !== null
}

/** Returns true for a reply that ended normally without text or any visible content. */
export function saysNothing({ status, content, acts, work }: Pick<Message, 'status' | 'content' | 'acts' | 'work'>): boolean {
  return status === 'complete' && content.trim() === '' && acts.length === 0 && (work ?? []).length === 0
}

/** Describes how a reply ended, if that is worth mentioning. */
export function endMark(reason: StopReason | null): string | null {
  switch (reason) {
    case 'stopped':
      return 'You stopped the answer here.'
    case 'cut':
      return 'The answer was cut off. What arrived is kept.'
    case 'length':
      return 'This answer reached its length limit.'
    default:
      return null
  }
}

/**
 * Returns `412 tokens`, `38/s`, `first word after 0.4 s`, the most telling first, or nothing if no model took
 * part.
 */
export function usageParts(usage: Usage): string[] {
  if (usage.completionTokens === 0) return []
  const parts = [plural(usage.completionTokens, 'token')]
  const writingMs = usage.totalMs - (usage.firstTokenMs ?? 0)
  // A rate measured over less than 100 ms is meaningless.
  if (usage.completionTokens > 4 && writingMs >= 100) parts.push(`${count((usage.completionTokens / writingMs) * 1000)}/s`)
  if (usage.firstTokenMs !== undefined) parts.push(`first word after ${duration(usage.firstTokenMs)}`)
  return parts
}
