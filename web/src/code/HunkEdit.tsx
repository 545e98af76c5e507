import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/design/Button'
import { Keys } from '@/design/Keys'

interface Props {
  first: string
  /** The text as the model wrote it. */
  hers: string
  /** Called with the edited text, with null to restore the model's text, or without an argument to cancel. */
  onEnd: (text?: string | null) => void
}

/** The editor of a hunk's lines before they are accepted. */
export function HunkEdit({ first, hers, onEnd: ended }: Props) {
  const [text, setText] = useState(first)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(0, 0)
  }, [])
  const onEnd: Props['onEnd'] = (written) => {
    // Returns the focus, so that the review's keys keep working.
    field.current?.closest<HTMLElement>('[role=group]')?.focus({ preventScroll: true })
    ended(written)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onEnd()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onEnd(text)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="px-4 pt-1 pb-3" onKeyDown={press}>
      <textarea
        ref={field}
        dir="ltr"
        aria-label="Your version of these lines"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={text}
        rows={Math.min(24, text.split('\n').length + 1)}
        onChange={(event) => setText(event.target.value)}
        className="hunk-field block w-full resize-y rounded-control bg-well px-3 py-2 text-text shadow-[inset_0_0_0_1px_var(--hairline)]"
      />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button variant="primary" className="h-7" onClick={() => onEnd(text)}>
          Done
        </Button>
        <Button className="h-7" onClick={() => onEnd()}>
          Cancel
        </Button>
        {first !== hers && (
          <Button variant="quiet" className="h-7" onClick={() => onEnd(null)}>
            Use her version
          </Button>
        )}
        <span className="ms-auto touch:hidden">
          <Keys keys="mod+enter" />
        </span>
      </div>
    </div>
  )
}
