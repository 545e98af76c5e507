import type { ProposalStatus } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'

const STATUS: Record<ProposalStatus, { title: string; look: string }> = {
  open: { title: 'to review', look: 'text-accent-text' },
  applied: { title: 'applied', look: 'text-ok' },
  rejected: { title: 'rejected', look: 'text-faint' },
  undone: { title: 'undone', look: 'text-warn' },
}

/** The status of a proposal. */
export function StatusMark({ status, stale }: { status: ProposalStatus; stale: boolean }) {
  const { title, look } = status === 'open' && stale ? { title: 'out of date', look: 'text-warn' } : STATUS[status]
  return (
    <span className={classNames('flex shrink-0 items-center gap-1.5 text-12', look)}>
      <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
      {title}
    </span>
  )
}
