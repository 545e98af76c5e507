import { useId, useState } from 'react'
import { classNames } from '@/design/classNames'
import { CodeBlock } from '@/markdown/CodeBlock'
import { plain } from './wording'

const MOST_LINES = 12
/** The number of extra lines that are still shown without folding. */
const SLACK = 2

/** Code to review before approval: its beginning, expandable to the whole in a scrolling box. */
export function FoldedCode({ code, language }: { code: string; language: string }) {
  const [all, setAll] = useState(false)
  const id = useId()
  const text = plain(code.replace(/^\n+|\s+$/g, ''))
  const lines = text.split('\n')
  const folds = lines.length > MOST_LINES + SLACK
  return (
    <div className="min-w-0">
      <div id={id} className={classNames('[&_pre]:max-h-[min(24rem,50dvh)] [&_pre]:overflow-y-auto max-sm:[&_pre]:wrap-anywhere! max-sm:[&_pre]:whitespace-pre-wrap!', folds && !all && '[&_pre]:mask-[linear-gradient(black_calc(100%-2.5rem),transparent)]')}>
        <CodeBlock code={folds && !all ? lines.slice(0, MOST_LINES).join('\n') : text} language={language} writing={false} />
      </div>
      {folds && (
        <button
          type="button"
          aria-expanded={all}
          aria-controls={id}
          onClick={() => setAll(!all)}
          className="mt-1.5 rounded-control text-12 text-blue underline decoration-1 underline-offset-3 pointer-coarse:py-2"
        >
          {all ? 'Show less' : `Show all ${lines.length} lines`}
        </button>
      )}
    </div>
  )
}
