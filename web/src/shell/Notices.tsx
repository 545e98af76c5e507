import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '@/design/Button'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { BacktickText } from '@/design/BacktickText'
import { useMemoryStore } from '@/memory/useMemoryStore'
import { useStore } from '@/store'
import type { Notice } from './slice'

/**
 * Long enough to read the notice and reach the button; the timer stops while the notice is hovered or
 * focused.
 */
const STAY_MS = 9000

/**
 * Returns the position of the notices: at the top on pages with a composer, which they would cover, and at
 * the bottom on other pages, whose headings are at the top.
 */
function usePlace(): string {
  const page = useStore((state) => state.route.page)
  const chosen = useMemoryStore((state) => state.chosenFacts.length > 0)
  if (page === 'chat' || page === 'new' || page === 'code') return 'top-[calc(3.75rem+env(safe-area-inset-top))]'
  // The bar with the actions for selected facts takes that place.
  return page === 'memory' && chosen ? 'bottom-[calc(5rem+env(safe-area-inset-bottom))]' : 'bottom-[calc(1rem+env(safe-area-inset-bottom))]'
}

/** Messages about events that are not visible elsewhere: an undo, or a failure without a place of its own. */
export function Notices() {
  const notices = useStore((state) => state.notices)
  const place = usePlace()
  return (
    <div role="status" aria-live="polite" className={classNames('pointer-events-none fixed inset-x-4 z-50 flex flex-col items-center gap-2', place)}>
      {notices.map((notice) => (
        <NoticeView key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function NoticeView({ notice }: { notice: Notice }) {
  const dismiss = useStore((state) => state.dismiss)
  const full = useStore((state) => state.view !== 'dev')
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismiss(notice.id), STAY_MS)
    return () => clearTimeout(timer)
  }, [held, notice.id, dismiss])
  return (
    <div
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={classNames(
        'pointer-events-auto flex max-w-md animate-rise items-center gap-1 py-1.5 ps-4 pe-1.5 text-13',
        // In the views with the avatar all surfaces are glass.
        full ? 'glass' : 'rounded-card bg-raised shadow-float',
      )}
    >
      <span className={classNames('me-2 min-w-0 wrap-anywhere', notice.tone === 'danger' && 'text-danger')}><BacktickText text={notice.text} /></span>
      {notice.action && (
        <Button
          variant="quiet"
          className="font-medium text-accent-text"
          onClick={() => {
            notice.action?.run()
            dismiss(notice.id)
          }}
        >
          {notice.action.label}
        </Button>
      )}
      <IconButton size="small" label="Dismiss" onClick={() => dismiss(notice.id)}>
        <X size={15} />
      </IconButton>
    </div>
  )
}
