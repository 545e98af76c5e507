import './widgets.css'
import { useMemo } from 'react'
import { Boundary } from '@/design/Boundary'
import { asText } from './asText'
import type { CommandProps } from './CommandView'
import { Content } from './Content'
import { Frame } from './Frame'
import { looks } from './looks'
import { isProblem } from './lenient'
import { Malformed } from './Malformed'
import { read } from './read'

/** One command, read and in its frame. */
export default function Opened({ id, action, payload, pinned, onPin, onRun }: CommandProps) {
  const shown = useMemo(() => read(action, payload), [action, payload])
  if (isProblem(shown)) return <Malformed why={shown.problem} payload={payload} />
  const { icon, name, bleed, slim } = looks(shown.content)
  const title = shown.title || name
  const text = asText(shown.content)
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
      <Boundary fallback={<Malformed inside why="Drawing it failed." payload={payload} />} resetOn={payload}>
        <Content id={id} title={title} widget={shown.content} onRun={onRun} />
      </Boundary>
    </Frame>
  )
}
