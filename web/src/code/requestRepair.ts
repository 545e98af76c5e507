import type { CheckStep } from './CheckList'
import { toPane } from './panes'
import { useCodeStore } from './useCodeStore'

const MOST_SENT = 8_000

/** Asks the agent to fix the errors of a check. */
export function requestRepair(steps: CheckStep[]): void {
  const failed = steps.filter(({ ok }) => ok === false)
  const lastError = failed
    .map(({ command, output, errors }) => [command && `$ ${command}`, ...errors.map(({ file, line, message }) => `${file ?? ''}:${line ?? ''} ${message}`), output].filter(Boolean).join('\n'))
    .join('\n\n')
    .slice(-MOST_SENT)
  useCodeStore.getState().ask('Please fix what the check complains about.', { mode: 'repair', lastError })
  toPane('agent')
}
