import { memo, useMemo, useRef } from 'react'
import { MoonCursor } from '@/design/Moon'
import { type Block, blockHtml, type Blocks, NO_BLOCKS, readBlocks } from './blocks'
import { elements } from './elements'
import { sanitise } from './sanitise'

interface Props {
  source: string
  /** True while more text is expected: unfinished markup at the end is closed, and the cursor follows it. */
  streaming?: boolean
  /** True for a document, whose single line breaks are ignored. */
  flowing?: boolean
}

/** Renders Markdown, streamed or stored. There is no other way for it to reach the page. */
export const Markdown = memo(function Markdown({ source, streaming = false, flowing = false }: Props) {
  const known = useRef<Blocks>(NO_BLOCKS)
  const blocks = useMemo(() => {
    // The result depends only on `source`; the previous blocks merely make it cheaper.
    known.current = readBlocks(known.current, source, streaming)
    return known.current
  }, [source, streaming])
  const definitions = Object.keys(blocks.links).length
  const last = blocks.list.length - 1
  return (
    <div className="prose">
      {blocks.list.map((block, index) => (
        <BlockView key={index} block={block} writing={streaming && index === last} flowing={flowing} definitions={definitions} />
      ))}
      {streaming && last < 0 && <MoonCursor thinking />}
    </div>
  )
})

interface BlockProps {
  block: Block
  writing: boolean
  flowing: boolean
  definitions: number
}

const BlockView = memo(
  function BlockView({ block, writing, flowing }: BlockProps) {
    return <>{elements(sanitise(blockHtml(block)), { writing, flowing })}</>
  },
  (before, after) =>
    before.block.raw === after.block.raw &&
    before.writing === after.writing &&
    before.definitions === after.definitions &&
    before.block.token.type === after.block.token.type,
)
