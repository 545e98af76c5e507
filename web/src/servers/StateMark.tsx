import type { McpState } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'
import { STATES, type Tone } from './wording'

const LOOKS: Record<Tone, { text: string; dot: string }> = {
  ok: { text: 'text-ok', dot: 'bg-ok' },
  warn: { text: 'text-warn', dot: 'bg-warn' },
  danger: { text: 'text-danger', dot: 'bg-danger' },
  blue: { text: 'text-blue', dot: 'bg-blue' },
  faint: { text: 'text-muted', dot: 'bg-faint' },
}

export function StateMark({ state }: { state: McpState }) {
  const { word, tone } = STATES[state]
  return <Dotted tone={tone}>{word}</Dotted>
}

export function Dotted({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classNames('inline-flex items-center gap-1.5 whitespace-nowrap', LOOKS[tone].text)}>
      <span aria-hidden="true" className={classNames('size-1.5 rounded-full', LOOKS[tone].dot)} />
      {children}
    </span>
  )
}
