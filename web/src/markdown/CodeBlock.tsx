import { memo, useEffect, useMemo, useState } from 'react'
import { CopyButton } from '@/design/CopyButton'
import { MoonCursor } from '@/design/Moon'
import { coloured, languageTitle, loadGrammar } from './highlight'

/**
 * The longest code highlighted while it is being written; longer code waits, so that each token stays cheap.
 */
const LONGEST_WHILE_WRITING = 6_000

interface Props {
  code: string
  language: string
  writing: boolean
}

export const CodeBlock = memo(function CodeBlock({ code, language, writing }: Props) {
  // The unfinished last line is not highlighted, so that highlighting runs once per line.
  const whole = writing ? code.slice(0, code.lastIndexOf('\n') + 1) : code
  const html = useColours(whole, language, writing)
  return (
    <figure className="code-block" aria-label={`${languageTitle(language)} code`} dir="ltr">
      <figcaption className="flex h-10 items-center justify-between ps-4 pe-1.5 text-12 text-faint">
        <span>{languageTitle(language)}</span>
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      <pre tabIndex={0}>
        {html === null ? (
          <code>{code}</code>
        ) : (
          <>
            <code dangerouslySetInnerHTML={{ __html: html }} />
            {whole.length < code.length && <code>{code.slice(whole.length)}</code>}
          </>
        )}
        {writing && <MoonCursor />}
      </pre>
    </figure>
  )
})

function useColours(code: string, language: string, writing: boolean): string | null {
  const [ready, setReady] = useState(false)
  const wanted = !(writing && code.length > LONGEST_WHILE_WRITING)
  useEffect(() => {
    let gone = false
    void loadGrammar(language).then((known) => {
      if (known && !gone) setReady(true)
    }, () => {})
    return () => {
      gone = true
    }
  }, [language])
  // `ready` is no input of the highlighting, but marks the moment from which it works.
  return useMemo(() => (wanted ? coloured(code, language) : null), [code, language, wanted, ready])
}
