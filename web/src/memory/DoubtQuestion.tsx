import type { Fact, FactDoubt } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { since } from '@/design/format'
import { classNames } from '@/design/classNames'
import { fragmentOf } from '@/shell/route'
import { plain } from '@/tools/wording'
import { useMemoryStore } from './useMemoryStore'

/** A question to the user: a later message may have made this fact outdated, and only the user knows. */
export function DoubtQuestion({ fact, doubt, className }: { fact: Fact; doubt: FactDoubt; className?: string }) {
  const changeFact = useMemoryStore((state) => state.changeFact)
  return (
    <div className={classNames('text-13 text-muted', className)}>
      <p className="wrap-anywhere">
        You said something {since(doubt.at, new Date())} that may have changed this:{' '}
        <a href={fragmentOf({ page: 'chat', id: doubt.conversationId, message: doubt.messageId })} className="line-clamp-3 text-text underline decoration-faint decoration-1 underline-offset-3" dir="auto">
          “{plain(doubt.words)}”
        </a>
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button className="h-7" aria-label={`Still true: ${plain(fact.content)}`} onClick={() => void changeFact(fact.id, { confirmed: true })}>
          Still true
        </Button>
        <Button variant="quiet" className="h-7" aria-label={`No longer true: ${plain(fact.content)}`} onClick={() => void changeFact(fact.id, { confirmed: false })}>
          No longer true
        </Button>
      </div>
    </div>
  )
}
