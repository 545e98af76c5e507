import { ShortenedText } from './ShortenedText'
import { plain, resultText } from './wording'

/** The arguments of a tool call, one by one. */
export function Arguments({ args }: { args: unknown }) {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    const text = resultText(args)
    return text === '' ? <Nothing /> : <ShortenedText text={text} label="Arguments" />
  }
  const given = Object.entries(args)
  if (given.length === 0) return <Nothing />
  return (
    <dl className="grid grid-cols-[minmax(4rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5 max-sm:grid-cols-1">
      {given.map(([name, value]) => (
        <div key={name} className="min-w-0 sm:contents">
          <dt className="text-12/5 wrap-anywhere text-faint">{plain(name)}</dt>
          <dd className="min-w-0">
            <ShortenedText text={value === null ? 'null' : resultText(value)} label={name} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Nothing() {
  return <p className="text-12/5 text-faint">No arguments.</p>
}
