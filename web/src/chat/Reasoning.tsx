import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { duration } from '@/design/format'
import { classNames } from '@/design/classNames'
import { MoonCursor } from '@/design/Moon'
import { Markdown } from '@/markdown/Markdown'

interface Props {
  text: string
  thinking: boolean
  ms: number | null
}

/** The reasoning before the reply, folded until clicked. */
export function Reasoning({ text, thinking, ms }: Props) {
  const [open, setOpen] = useState(false)
  const label = thinking ? 'Thinking…' : ms === null ? 'Thought before answering' : `Thought for ${duration(ms)}`
  return (
    <div className={open ? 'mb-5' : 'mb-3'}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-ms-1 flex items-center gap-1 rounded-control py-1 ps-1 pe-2 text-13 text-faint transition-colors hover:text-text pointer-coarse:py-2.5"
      >
        <ChevronRight size={15} className={classNames('transition-transform duration-200', open && 'rotate-90')} />
        {label}
        {thinking && <MoonCursor thinking />}
      </button>
      {open && (
        <div className="reasoning mt-1 border-s border-hairline ps-4 text-muted">
          <Markdown source={text} streaming={thinking} />
        </div>
      )}
    </div>
  )
}
