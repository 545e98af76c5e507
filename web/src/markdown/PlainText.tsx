import { memo } from 'react'
import { CodeBlock } from './CodeBlock'

/**
 * The text of a user as typed: lines and spaces are kept. Of Markdown only code fences and addresses are
 * rendered, since a pasted log or list must not be rearranged.
 */
export const PlainText = memo(function PlainText({ text }: { text: string }) {
  return (
    <div className="plain flex flex-col gap-3 text-[1rem]/relaxed wrap-anywhere">
      {pieces(text).map((piece, index) =>
        piece.kind === 'code' ? (
          <CodeBlock key={index} code={piece.text} language={piece.language} writing={false} />
        ) : (
          <p key={index} dir="auto" className="whitespace-pre-wrap">
            {linked(piece.text)}
          </p>
        ),
      )}
    </div>
  )
})

type Piece = { kind: 'text'; text: string } | { kind: 'code'; text: string; language: string }

export function pieces(text: string): Piece[] {
  const found: Piece[] = []
  const fence = /^(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)(?:\n\1[ \t]*(?=\n|$)|$(?![\s\S]))/gm
  let end = 0
  const addText = (part: string) => {
    const trimmed = part.replace(/^\n+|\n+$/g, '')
    if (trimmed !== '') found.push({ kind: 'text', text: trimmed })
  }
  for (const match of text.matchAll(fence)) {
    addText(text.slice(end, match.index))
    found.push({ kind: 'code', text: match[3] ?? '', language: (match[2] ?? '').trim().split(/\s/)[0]?.toLowerCase() ?? '' })
    end = match.index + match[0].length
  }
  addText(text.slice(end))
  return found
}

function linked(text: string) {
  const parts = text.split(/(https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}])/g)
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <a key={index} href={part} target="_blank" rel="noopener noreferrer" className="text-blue underline decoration-1 underline-offset-3">
        {part}
      </a>
    ) : (
      part
    ),
  )
}
