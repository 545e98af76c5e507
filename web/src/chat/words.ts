import type { Message, StopReason, Usage } from '@/api/protocol.gen'
import { capital, count, duration, plural, timeLeft } from '@/design/format'
import type { Live } from './live'

/** What she is doing before the first word. */
export function activity(live: Live, waitedMs: number): string {
  if (live.lineLost) return 'The connection broke. Reconnecting; nothing is lost…'
  if (live.stopping) return 'Stopping…'
  if (live.progress) {
    const { stage, done, total, secondsLeft } = live.progress
    const left = secondsLeft ? `, ${timeLeft(secondsLeft)}` : ''
    const part = total > 0 ? ` ${Math.min(100, Math.floor((done / total) * 100))} %${left}` : ''
    if (stage === 'reading' || stage === 'prefill') return `Reading the conversation…${part}`
    if (stage === 'loading') return `Loading the model…${part}`
    if (stage === 'waiting' || stage === 'queued') return 'Waiting for her other answers…'
    return `${capital(stage)}…${part}`
  }
  return waitedMs > 900 ? 'Thinking…' : ''
}

/** Whether something went wrong with this answer, before or after its first word. */
export function isTroubled({ status, error }: Pick<Message, 'status' | 'error'>): boolean {
  return status === 'failed' || error !== null
}

/** An answer that ended by itself, without a word or anything to look at. */
export function saysNothing({ status, content, acts, work }: Pick<Message, 'status' | 'content' | 'acts' | 'work'>): boolean {
  return status === 'complete' && content.trim() === '' && acts.length === 0 && (work ?? []).length === 0
}

/** How an answer ended, where that is worth a word. */
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

/** `412 tokens`, `38/s`, `first word after 0.4 s`, the most telling first; nothing where no model took part. */
export function usageParts(usage: Usage): string[] {
  if (usage.completionTokens === 0) return []
  const parts = [plural(usage.completionTokens, 'token')]
  const writingMs = usage.totalMs - (usage.firstTokenMs ?? 0)
  // A pace measured over a blink says nothing.
  if (usage.completionTokens > 4 && writingMs >= 100) parts.push(`${count((usage.completionTokens / writingMs) * 1000)}/s`)
  if (usage.firstTokenMs !== undefined) parts.push(`first word after ${duration(usage.firstTokenMs)}`)
  return parts
}
