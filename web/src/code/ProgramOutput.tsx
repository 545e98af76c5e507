import { useMemo } from 'react'
import { count } from '@/design/format'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { outputParts, unescaped } from './outputParts'
import { useCodeStore } from './useCodeStore'

/**
 * The most lines shown; more would slow the page down. The last ones are kept, since those are what users
 * look at.
 */
const MOST_LINES = 1500

/** The output of a program, with links for the file locations in it. */
export function ProgramOutput({ text }: { text: string }) {
  const root = useCodeStore((state) => state.root) ?? ''
  const paths = useCodeStore((state) => state.paths)
  const { parts, left } = useMemo(() => {
    const lines = unescaped(text).replace(/\n+$/, '').split('\n')
    const shown = lines.slice(-MOST_LINES)
    return { parts: outputParts(shown.join('\n'), root, (path) => paths.has(path)), left: lines.length - shown.length }
  }, [text, root, paths])
  return (
    <pre dir="ltr" className="mt-0.5 font-mono text-12/5 wrap-anywhere whitespace-pre-wrap text-muted">
      {left > 0 && <span className="block text-faint">{`${count(left)} earlier lines are left out`}</span>}
      {parts.map(({ text: words, location }, index) =>
        location ? (
          <a
            key={index}
            href={fragmentOf({ page: 'code', view: 'file', item: location.path, line: location.line })}
            title={`Go to line ${location.line}`}
            onClick={(event) => {
              // The same line may be requested twice, which would not change the address.
              event.preventDefault()
              useStore.getState().go({ page: 'code', view: 'file', item: location.path, line: location.line })
            }}
            className="rounded-[3px] text-blue underline decoration-1 underline-offset-3 hover:decoration-2"
          >
            {plain(words)}
          </a>
        ) : (
          <span key={index}>{plain(words)}</span>
        ),
      )}
    </pre>
  )
}
