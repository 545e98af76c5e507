import { File, Folder, GitCompare, Globe, Hash, type LucideIcon, SquareTerminal } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { classNames } from '@/design/classNames'
import { plain } from '@/tools/wording'
import type { Mention } from './mentions'
import { folderOf, nameOf } from './tree'

export const MENTION_ICONS: Record<Mention['kind'], LucideIcon> = { file: File, folder: Folder, symbol: Hash, diff: GitCompare, terminal: SquareTerminal, page: Globe }

export function mentionOption(menu: string, index: number): string {
  return `${menu}-${index}`
}

interface Props {
  id: string
  mentions: Mention[]
  active: number
  onPick: (mention: Mention) => void
  onHover: (index: number) => void
}

/** The menu of possible mentions. The text field keeps the focus. */
export function MentionMenu({ id, mentions, active, onPick, onHover }: Props) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' })
  }, [active])
  return (
    <ul ref={list} id={id} role="listbox" aria-label="What to attach" tabIndex={0} className="absolute inset-x-0 bottom-full z-10 mb-2 max-h-[min(20rem,45vh)] animate-rise overflow-y-auto rounded-card bg-raised p-1 shadow-float">
      {mentions.map((mention, index) => {
        const Icon = MENTION_ICONS[mention.kind]
        const path = mention.kind === 'file' || mention.kind === 'folder'
        const bare = mention.text.replace(/\/$/, '')
        return (
          <li
            key={`${mention.kind} ${mention.text}`}
            id={mentionOption(id, index)}
            role="option"
            aria-selected={index === active}
            onMouseMove={() => onHover(index)}
            onMouseDown={(event) => {
              event.preventDefault()
              onPick(mention)
            }}
            className={classNames('flex h-8 items-center gap-2.5 rounded-control px-2 text-13 pointer-coarse:h-11', index === active && 'bg-hover')}
          >
            <Icon size={15} className="text-faint" />
            <bdi className="max-w-[70%] shrink-0 truncate">{path ? `${plain(nameOf(bare))}${mention.kind === 'folder' ? '/' : ''}` : `${mention.kind === 'symbol' ? '' : '@'}${plain(mention.text)}`}</bdi>
            <bdi className="min-w-0 truncate text-12 text-muted">{plain(path ? folderOf(bare) : mention.note)}</bdi>
          </li>
        )
      })}
    </ul>
  )
}
