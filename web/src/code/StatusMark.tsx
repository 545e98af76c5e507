import type { ProposalStatus } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'

const STATUS: Record<ProposalStatus, { title: string; colour: string }> = {
  open: { title: 'to review', colour: 'text-accent-text' },
  applied: { title: 'applied', colour: 'text-ok' },
  rejected: { title: 'rejected', colour: 'text-faint' },
  undone: { title: 'undone', colour: 'text-warn' },
}

/** The status of a proposal. */
export function StatusMark({ status, stale }: { status: ProposalStatus; stale: boolean }) {
  const { title, colour } = status === 'open' && stale ? { title: 'out of date', colour: 'text-warn' } : STATUS[status]
  return (
    <span className={classNames('flex shrink-0 items-center gap-1.5 text-12', colour)}>
      <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
      {title}
    </span>
  )
}
