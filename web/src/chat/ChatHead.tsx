import { EllipsisVertical, Folder, HatGlasses, PanelLeft, SquarePen, Tag, X } from 'lucide-react'
import type { ChatSummary } from '@/api/protocol.gen'
import { ChatMenuItems } from '@/chats/ChatRow'
import { TitleField } from '@/chats/TitleField'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { Menu } from '@/design/Menu'
import { useStore } from '@/store'

export function ChatHead({ chat }: { chat: ChatSummary | null }) {
  return chat?.incognito ? <IncognitoHead /> : <OrdinaryHead chat={chat} />
}

function OrdinaryHead({ chat }: { chat: ChatSummary | null }) {
  const renaming = useStore((state) => chat !== null && state.renaming?.id === chat.id && state.renaming.where === 'head')
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 px-3 pt-[env(safe-area-inset-top)] sm:px-4">
      <SidebarButton />
      <div className="flex min-w-0 flex-1 items-center gap-3 px-1">
        {chat && renaming && <TitleField chat={chat} className="h-8 max-w-md px-2 text-15" />}
        {chat && !renaming && (
          <>
            <h1 className="max-w-full min-w-0">
              <button
                type="button"
                title="Rename"
                onClick={() => useStore.getState().rename({ id: chat.id, where: 'head' })}
                className="block w-full truncate rounded-control px-1 text-start text-15 font-medium md:py-1"
              >
                <bdi>{chat.title || 'New chat'}</bdi>
              </button>
            </h1>
            <Filing chat={chat} />
          </>
        )}
      </div>
      {chat ? (
        <Menu
          label="Actions for this conversation"
          trigger={
            <IconButton label="Actions for this conversation" side="bottom">
              <EllipsisVertical size={17} />
            </IconButton>
          }
        >
          <ChatMenuItems chat={chat} renameIn="head" />
        </Menu>
      ) : (
        <IconButton label="New incognito chat" keys="mod+shift+l" side="bottom" onClick={() => void useStore.getState().startIncognito()}>
          <HatGlasses size={17} />
        </IconButton>
      )}
      <span className="md:hidden">
        <IconButton label="New chat" side="bottom" onClick={() => useStore.getState().go({ page: 'new' })}>
          <SquarePen size={17} />
        </IconButton>
      </span>
    </header>
  )
}

/**
 * The head of an incognito conversation, without naming, filing or export, since there is nothing to return
 * to.
 */
function IncognitoHead() {
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 px-3 pt-[env(safe-area-inset-top)] sm:px-4">
      <SidebarButton />
      <div className="flex min-w-0 flex-1 items-center gap-3 px-1">
        <h1 className="flex h-7 shrink-0 items-center gap-2 rounded-full bg-[color-mix(in_oklab,var(--blue)_16%,transparent)] ps-2.5 pe-3 text-13 font-medium">
          <HatGlasses size={15} className="text-blue" />
          Incognito
        </h1>
        <p className="min-w-0 truncate text-13 text-muted max-sm:hidden">Nothing is kept. It is gone when you leave.</p>
      </div>
      <IconButton label="Close it and delete everything in it" side="bottom" onClick={() => useStore.getState().closeIncognito()}>
        <X size={17} />
      </IconButton>
    </header>
  )
}

/** The button that opens the sidebar, shown while the sidebar is hidden. */
export function SidebarButton() {
  const shown = useStore((state) => state.sidebarShown)
  return (
    <span className={classNames(shown && 'md:hidden')}>
      <IconButton label="Show the sidebar" keys="mod+b" side="bottom" onClick={() => useStore.getState().toggleSidebar()}>
        <PanelLeft size={17} />
      </IconButton>
    </span>
  )
}

function Filing({ chat }: { chat: ChatSummary }) {
  const setFilter = useStore((state) => state.setFilter)
  if (!chat.folder && chat.tags.length === 0) return null
  return (
    <ul className="hidden shrink-0 items-center gap-1 overflow-hidden lg:flex" aria-label="Folder and tags">
      {chat.folder && (
        <li>
          <Chip icon={<Folder size={13} />} label={chat.folder} onClick={() => setFilter({ folder: chat.folder })} />
        </li>
      )}
      {chat.tags.slice(0, 3).map((tag) => (
        <li key={tag}>
          <Chip icon={<Tag size={13} />} label={tag} onClick={() => setFilter({ tag })} />
        </li>
      ))}
    </ul>
  )
}

function Chip({ icon, label, onClick }: { icon: React.ReactNode; label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      title={`Show conversations in ${label}`}
      onClick={onClick}
      className="flex h-6 max-w-36 items-center gap-1.5 rounded-control px-1.5 text-12 text-faint transition-colors hover:bg-hover hover:text-text"
    >
      {icon}
      <span className="truncate">{label}</span>
    </button>
  )
}
