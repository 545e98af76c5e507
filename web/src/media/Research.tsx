import './media.css'
import { Markdown } from '@/markdown/Markdown'
import { OmittedNote } from '@/widgets/parts'
import { Initial } from './Initial'
import type { Research as Data, Source } from './read'

export function Research({ summary, sources }: Data) {
  return (
    <>
      {summary && (
        <div className="widget-prose cited">
          <Markdown source={withSources(summary, sources.shown)} />
        </div>
      )}
      {sources.shown.length > 0 && (
        <>
          <h4 className={`text-12 font-medium text-faint ${summary ? 'mt-6' : ''}`}>Sources</h4>
          <ol className="mt-1 -mx-2 grid gap-x-2 @xl:grid-cols-2">
            {sources.shown.map((source, index) => (
              <li key={index} className="min-w-0">
                <SourceLine source={source} number={index + 1} />
              </li>
            ))}
          </ol>
        </>
      )}
      <OmittedNote of={sources} what="sources" />
    </>
  )
}

function SourceLine({ source, number }: { source: Source; number: number }) {
  const body = (
    <>
      <Initial of={source.site || source.title} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-13 font-medium">
          {source.title}
        </span>
        <span className="block truncate text-12 text-faint">
          <span className="tabular-nums">{number}</span> · {source.site}
        </span>
      </span>
    </>
  )
  const look = 'flex items-center gap-3 rounded-card px-2 py-1.5'
  if (!source.url) return <div className={look}>{body}</div>
  return (
    <a href={source.url} title={source.url} target="_blank" rel="noopener noreferrer" className={`${look} transition-colors hover:bg-hover`}>
      {body}
    </a>
  )
}

/**
 * Turns citation marks into links by definitions placed before the text, so that no definition in the text
 * can redirect a mark.
 */
export function withSources(summary: string, sources: Source[]): string {
  const definitions = sources.flatMap(({ url, title }, index) =>
    url ? [`[${index + 1}]: <${url}> "Source ${index + 1}: ${title.replace(/["\\\n\r<>]/g, ' ')}"`] : [],
  )
  // Several marks in one pair of brackets are split.
  const apart = summary
    .replace(/\[(\d{1,2}(?:\s{0,9},\s{0,9}\d{1,2})+)\]/g, (_, marks: string) => marks.split(',').map((mark) => `[${mark.trim()}]`).join(''))
    // A mark directly before `[`, `(` or `:` could become a link or definition of the text's own, with any
    // target.
    .replace(/\[[\s*_`~\\]{0,9}\d{1,2}[\s*_`~\\]{0,9}\](?=[[(:])/g, '$&\u200a')
  return definitions.length > 0 ? `${definitions.join('\n')}\n\n${apart}` : apart
}
