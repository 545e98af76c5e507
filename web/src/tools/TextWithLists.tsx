import { BacktickText } from '@/design/BacktickText'

interface Part {
  listed: boolean
  lines: string[]
}

const DASH = /^- (?=\S)/

/**
 * Splits a text into lists, which are consecutive lines that begin with a dash, and the unchanged text
 * between them.
 */
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

/** A text from the server, with its lists rendered as lists. */
export function TextWithLists({ text }: { text: string }) {
  return partsOf(text).map(({ listed, lines }, index) =>
    listed ? (
      <ul key={index} className="list-disc ps-4.5 marker:text-faint">
        {lines.map((line, number) => (
          <li key={number}>
            <BacktickText text={line} />
          </li>
        ))}
      </ul>
    ) : (
      <p key={index} className="whitespace-pre-wrap">
        <BacktickText text={lines.join('\n')} />
      </p>
    ),
  )
}
