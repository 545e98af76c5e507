import { useMemo } from 'react'
import { classNames } from '@/design/classNames'
import { plain } from '@/tools/wording'
import { type TextDiffLine, diffLines, folded } from './diff'

/** The number of lines shown; a longer diff is hardly readable as one. */
const MOST_SHOWN = 400

/** The differences between two texts. */
export function Difference({ before, after, className = 'mb-3 ms-5' }: { before: string; after: string; className?: string }) {
  const shown = useMemo(() => folded(diffLines(before, after)), [before, after])
  if (shown.every((line) => line === null)) return <p className={classNames('py-2 text-13 text-faint', className)}>The text is the same.</p>
  return (
    <div role="group" aria-label="What changed" className={classNames('overflow-hidden rounded-card bg-well py-2 font-mono text-12/5', className)}>
      {shown.slice(0, MOST_SHOWN).map((line, index) => (line === null ? <p key={index} className="px-3 text-faint">⋯</p> : <Line key={index} line={line} />))}
      {shown.length > MOST_SHOWN && <p className="px-3 text-faint">And {shown.length - MOST_SHOWN} lines more.</p>}
    </div>
  )
}

const LINES: Record<TextDiffLine['kind'], { sign: string; background: string; spoken: string }> = {
  same: { sign: ' ', background: 'text-muted', spoken: '' },
  gone: { sign: '−', background: 'bg-[color-mix(in_oklab,var(--danger)_12%,transparent)]', spoken: 'removed: ' },
  new: { sign: '+', background: 'bg-[color-mix(in_oklab,var(--ok)_12%,transparent)]', spoken: 'added: ' },
}

function Line({ line }: { line: TextDiffLine }) {
  const { sign, background, spoken } = LINES[line.kind]
  return (
    <p className={classNames('flex gap-2.5 px-3', background)}>
      <span aria-hidden="true" className="w-2 shrink-0 text-faint">
        {sign}
      </span>
      {spoken !== '' && <span className="sr-only">{spoken}</span>}
      <span className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap" dir="auto">
        {plain(line.text) || ' '}
      </span>
    </p>
  )
}
