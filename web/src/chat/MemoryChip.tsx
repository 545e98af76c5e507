import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { MemoryItem } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'
import { RecalledItems } from '@/memory/RecalledItems'

/** The memories used for this reply: one unobtrusive line that expands on click. */
export function MemoryChip({ items }: { items: MemoryItem[] }) {
  const [open, setOpen] = useState(false)
  if (items.length === 0) return null
  return (
    <div className={open ? 'mb-4' : 'mb-1.5'}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-ms-1 flex items-center gap-1 rounded-control py-1 ps-1 pe-2 text-13 text-faint transition-colors hover:text-text pointer-coarse:py-2.5"
      >
        <ChevronRight size={15} className={classNames('transition-transform duration-200', open && 'rotate-90')} />
        Remembered {items.length === 1 ? 'one thing' : `${items.length} things`}
      </button>
      {open && (
        <div className="mt-1 border-s border-hairline ps-4">
          <RecalledItems items={items} />
        </div>
      )}
    </div>
  )
}
