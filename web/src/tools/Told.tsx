import { Ticked } from '@/design/Ticked'

interface Part {
  listed: boolean
  lines: string[]
}

const DASH = /^- (?=\S)/

/** Lines in a row that begin with a dash are a list; what stands between is as it was written. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  for (const line of text.split('\n')) {
    const listed = DASH.test(line)
    const last = parts.at(-1)
    if (last?.listed === listed) last.lines.push(line.replace(DASH, ''))
    else parts.push({ listed, lines: [line.replace(DASH, '')] })
  }
  return parts
}

/** What the server tells of something, with its lists as lists. */
export function Told({ text }: { text: string }) {
  return partsOf(text).map(({ listed, lines }, index) =>
    listed ? (
      <ul key={index} className="list-disc ps-4.5 marker:text-faint">
        {lines.map((line, number) => (
          <li key={number}>
            <Ticked text={line} />
          </li>
        ))}
      </ul>
    ) : (
      <p key={index} className="whitespace-pre-wrap">
        <Ticked text={lines.join('\n')} />
      </p>
    ),
  )
}
