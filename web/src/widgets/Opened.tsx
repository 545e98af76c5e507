import './widgets.css'
import { useMemo, useRef } from 'react'
import { Boundary } from '@/design/Boundary'
import { own } from '@/design/own'
import { useStore } from '@/store'
import { asText } from './asText'
import type { CommandProps } from './command'
import { Content } from './Content'
import { Frame } from './Frame'
import { presentationOf } from './presentation'
import { isProblem } from './lenient'
import { Malformed } from './Malformed'
import { read, type Titled, type Widget } from './read'

/** A command, parsed and in its frame. */
export default function Opened({ id, action, payload: given, ...more }: CommandProps) {
  const payload = useSame(given)
  const shown = useMemo(() => read(action, payload), [action, payload])
  if (isProblem(shown)) return <Malformed reason={shown.problem} payload={payload} />
  return <Framed id={id} payload={payload} shown={shown} {...more} />
}

interface FramedProps extends Omit<CommandProps, 'action'> {
  shown: Titled
}

function Framed({ id, payload, shown, pinned, onPin, onRun }: FramedProps) {
  const content = useTicked(id, shown.content)
  const { icon, name, bleed, slim } = presentationOf(content)
  const title = shown.title || name
  const text = asText(content)
  return (
    <Frame
      icon={icon}
      title={title}
      bleed={bleed}
      slim={slim}
      {...(text ? { copy: text } : {})}
      {...(pinned !== undefined ? { pinned } : {})}
      {...(onPin ? { onPin } : {})}
    >
      <Boundary fallback={<Malformed inside reason="It could not be drawn." payload={payload} />} resetOn={payload}>
        <Content id={id} title={title} widget={content} onRun={onRun} />
      </Boundary>
    </Frame>
  )
}

/**
 * Returns the same object for an equal payload, so that the user's interaction is kept when storing the
 * message replaces it.
 */
function useSame(given: unknown): unknown {
  const held = useRef(given)
  return useMemo(() => {
    if (written(held.current) !== written(given)) held.current = given
    return held.current
  }, [given])
}

function written(payload: unknown): unknown {
  try {
    return JSON.stringify(payload)
  } catch {
    return payload
  }
}

/** Applies the ticks of this browser to a checklist, wherever it is shown. */
function useTicked(id: string, content: Widget): Widget {
  const ticked = useStore((state) => own(state.ticks, id)?.ticked)
  return useMemo(() => {
    if (content.kind !== 'checklist' || !ticked) return content
    const shown = content.checks.shown.map((check, index) => ({ ...check, done: ticked.includes(index) }))
    return { ...content, checks: { ...content.checks, shown } }
  }, [content, ticked])
}
