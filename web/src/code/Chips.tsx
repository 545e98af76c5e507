import { Eye, X } from 'lucide-react'
import { count } from '@/design/format'
import { plain } from '@/tools/wording'
import { readableFile } from './tabSlice'
import { MENTION_ICONS } from './MentionMenu'
import type { Mention } from './mentions'
import { useCodeStore } from './useCodeStore'
import { nameOf } from './tree'

/** The characters per token of typical text: accurate enough to show what is large. */
const LETTERS = 4

function tokens(mention: Mention): number | null {
  const { files } = useCodeStore.getState()
  if (mention.kind !== 'file' && mention.kind !== 'folder') return null
  const own = files?.filter(({ path }) => (mention.kind === 'file' ? path === mention.text : path.startsWith(mention.text))) ?? []
  return Math.round(own.reduce((sum, file) => sum + file.bytes, 0) / LETTERS)
}

/** The context of the message: the file in view, and the mentions. */
export function Chips({ mentions }: { mentions: Mention[] }) {
  const seen = useCodeStore(readableFile)
  const focusing = useCodeStore((state) => state.focusing)
  const { setFocusing } = useCodeStore.getState()
  const others = mentions.filter(({ text }) => !(focusing && text === seen))
  if (seen === null && others.length === 0) return null
  return (
    <ul aria-label="Attached" className="flex flex-wrap gap-1 px-3 pt-2.5">
      {seen !== null && focusing && (
        <li className="chip">
          <Eye size={12} className="text-faint" />
          <bdi className="truncate" title={`${seen} is attached`}>
            {plain(nameOf(seen))}
          </bdi>
          <button type="button" aria-label={`Do not attach ${nameOf(seen)}`} onClick={() => setFocusing(false)} className="-me-1 grid size-4 place-items-center rounded-[4px] text-faint hover:bg-pressed hover:text-text pointer-coarse:size-7">
            <X size={11} />
          </button>
        </li>
      )}
      {seen !== null && !focusing && (
        <li>
          <button type="button" onClick={() => setFocusing(true)} title={`Attach ${seen}`} className="chip border border-dashed border-hairline bg-transparent! text-faint! hover:text-text!">
            <Eye size={12} />
            <bdi className="truncate">{plain(nameOf(seen))}</bdi>
          </button>
        </li>
      )}
      {others.map((mention) => {
        const Icon = MENTION_ICONS[mention.kind]
        const size = tokens(mention)
        return (
          <li key={mention.text} className="chip" title={mention.text}>
            <Icon size={12} className="text-faint" />
            <bdi className="truncate">{plain(mention.kind === 'file' ? nameOf(mention.text) : mention.text)}</bdi>
            {size !== null && size > 0 && (
              <span className="text-faint">
                ≈{count(size)}
                <span className="sr-only"> tokens</span>
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
