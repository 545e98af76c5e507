import { CircleHelp, EllipsisVertical, FileJson, FileText, Folder, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { type KeyboardEvent, memo, useState } from 'react'
import { download } from '@/actions/registry'
import type { ChatSummary } from '@/api/protocol.gen'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { Menu, MenuItem, MenuLine } from '@/design/Menu'
import { MoonCursor } from '@/design/Moon'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { TitleField } from './TitleField'

interface Props {
  chat: ChatSummary
  open: boolean
  tabbable: boolean
}

export const ChatRow = memo(function ChatRow({ chat, open, tabbable }: Props) {
  const renaming = useStore((state) => state.renaming?.id === chat.id && state.renaming.where === 'list')
  const running = useStore((state) => state.running[chat.id] ?? false)
  const asks = useStore((state) => state.questions.some((question) => question.conversationId === chat.id))
  const unread = useStore((state) => state.unread[chat.id] ?? false)
  const [menuOpen, setMenuOpen] = useState(false)
  const title = chat.title || 'New chat'

  if (renaming) return <TitleField chat={chat} className="h-full px-2.5 text-13" />

  const press = (event: KeyboardEvent) => {
    const state = useStore.getState()
    if (event.key === 'F2') state.rename({ id: chat.id, where: 'list' })
    else if (event.key === 'Delete') void state.removeChat(chat.id)
    else return
    event.preventDefault()
  }

  return (
    <div
      className={classNames(
        'group relative flex h-full items-center rounded-control transition-colors',
        open ? 'bg-pressed' : 'hover:bg-hover',
        menuOpen && !open && 'bg-hover',
      )}
    >
      <a
        href={fragmentOf({ page: 'chat', id: chat.id })}
        data-row
        tabIndex={tabbable ? 0 : -1}
        aria-current={open ? 'page' : undefined}
        onKeyDown={press}
        onClick={() => useStore.getState().setDrawer(false)}
        onDoubleClick={() => useStore.getState().rename({ id: chat.id, where: 'list' })}
        title={title}
        className={classNames(
          'flex h-full min-w-0 flex-1 items-center rounded-control ps-2.5 pe-9 text-13',
          open ? 'text-text' : unread ? 'font-medium text-text' : 'text-muted group-hover:text-text',
        )}
      >
        <bdi className="truncate">{title}</bdi>
        {asks ? <span className="sr-only">, waiting for your answer</span> : running && <span className="sr-only">, answering</span>}
        {unread && <span className="sr-only">, finished</span>}
      </a>
      <span
        className={classNames(
          'pointer-events-none absolute end-3 flex group-focus-within:opacity-0 group-hover:opacity-0 touch:end-11',
          menuOpen && 'opacity-0',
        )}
        aria-hidden="true"
      >
        {asks ? <CircleHelp size={15} className="text-accent-text" /> : running ? <MoonCursor thinking /> : unread ? <span className="size-2 rounded-full bg-accent" /> : null}
      </span>
      <RowMenu chat={chat} tabbable={tabbable} shown={menuOpen} onOpenChange={setMenuOpen} />
    </div>
  )
})

interface RowMenuProps {
  chat: ChatSummary
  tabbable: boolean
  shown: boolean
  onOpenChange: (open: boolean) => void
}

function RowMenu({ chat, tabbable, shown, onOpenChange }: RowMenuProps) {
  const title = chat.title || 'New chat'
  return (
    <Menu
      label={`Actions for ${title}`}
      align="start"
      onOpenChange={onOpenChange}
      trigger={
        <IconButton
          size="small"
          label={`Actions for ${title}`}
          tabIndex={tabbable ? 0 : -1}
          className={classNames(
            'absolute end-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 focus-visible:opacity-100 touch:opacity-100',
            shown && 'opacity-100',
          )}
        >
          <EllipsisVertical size={15} />
        </IconButton>
      }
    >
      <ChatMenuItems chat={chat} renameIn="list" />
    </Menu>
  )
}

/** The menu items for a whole conversation, used in the list and in its header. */
export function ChatMenuItems({ chat, renameIn }: { chat: ChatSummary; renameIn: 'list' | 'head' }) {
  const { rename, patchChat, removeChat, show } = useStore.getState()
  return (
    <>
      {/* The menu returns the focus to its button when it closes; the field takes the focus after that. */}
      <MenuItem icon={<Pencil size={15} />} onSelect={() => setTimeout(() => rename({ id: chat.id, where: renameIn }), 0)}>
        Rename
      </MenuItem>
      <MenuItem
        icon={chat.pinned ? <PinOff size={15} /> : <Pin size={15} />}
        onSelect={() => void patchChat(chat.id, { pinned: !chat.pinned })}
      >
        {chat.pinned ? 'Unpin' : 'Pin'}
      </MenuItem>
      <MenuItem icon={<Folder size={15} />} onSelect={() => show({ kind: 'organise', chat: chat.id })}>
        Folder and tags
      </MenuItem>
      <MenuLine />
      <MenuItem icon={<FileText size={15} />} onSelect={() => download(chat.id, 'md')}>
        Export as Markdown
      </MenuItem>
      <MenuItem icon={<FileJson size={15} />} onSelect={() => download(chat.id, 'json')}>
        Export as JSON
      </MenuItem>
      <MenuLine />
      <MenuItem danger icon={<Trash2 size={15} />} onSelect={() => void removeChat(chat.id)}>
        Delete
      </MenuItem>
    </>
  )
}
