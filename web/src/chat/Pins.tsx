import { CornerDownRight, PinOff, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ConversationId, PinnedAct } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { classNames } from '@/design/classNames'
import { hasMouse } from '@/design/media'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { toolIcon } from '@/tools/icons'
import { field, phrase, plain } from '@/tools/wording'
import { OpenedContent } from './ActList'

const NONE: PinnedAct[] = []

/** Returns the title of a pinned item. */
export function pinTitle({ act }: PinnedAct): string {
  const payload = act.command?.payload
  const named = ['title', 'query', 'question', 'place', 'url', 'type'].map((name) => field(payload, name).trim()).find((text) => text !== '')
  if (named) return plain(named)
  const { does, what } = phrase(act.name, act.args, 'done')
  return what === '' ? does : what
}

/** The pinned items: beside the conversation if there is room, otherwise in a row above it. */
export default function Pins({ chat }: { chat: ConversationId }) {
  const pinned = useStore((state) => state.conversations[chat]?.pinned ?? NONE)
  const openId = useStore((state) => state.openPin)
  const open = pinned.find(({ act }) => act.id === openId)
  if (pinned.length === 0) return null
  return (
    <>
      <ul
        aria-label="Pinned"
        className="z-10 flex shrink-0 gap-1.5 overflow-x-auto px-3 pb-2 [scrollbar-width:none] sm:px-4 @min-[71rem]:absolute @min-[71rem]:end-4 @min-[71rem]:top-16 @min-[71rem]:w-44 @min-[71rem]:flex-col @min-[71rem]:items-end @min-[71rem]:overflow-visible @min-[71rem]:p-0"
      >
        {pinned.map((entry) => (
          <li key={entry.act.id} className="min-w-0 shrink-0">
            <Chip entry={entry} open={entry === open} />
          </li>
        ))}
      </ul>
      {open && <Panel key={open.act.id} chat={chat} entry={open} />}
    </>
  )
}

const chipId = (act: string) => `pin ${act}`

function Chip({ entry, open }: { entry: PinnedAct; open: boolean }) {
  const Icon = toolIcon(entry.act.command?.action ?? entry.act.name)
  const title = pinTitle(entry)
  return (
    <button
      type="button"
      id={chipId(entry.act.id)}
      aria-expanded={open}
      title={title}
      onClick={() => useStore.getState().showPin(open ? null : entry.act.id)}
      className={classNames(
        'flex h-8 max-w-44 items-center gap-2 rounded-full px-3 text-13 transition-colors pointer-coarse:h-10',
        open ? 'bg-raised text-text shadow-lit' : 'bg-[color-mix(in_oklab,var(--text)_5%,transparent)] text-muted hover:bg-[color-mix(in_oklab,var(--text)_9%,transparent)] hover:text-text',
      )}
    >
      <Icon size={14} />
      <bdi className="truncate">{title}</bdi>
    </button>
  )
}

function Panel({ chat, entry }: { chat: ConversationId; entry: PinnedAct }) {
  const panel = useRef<HTMLElement>(null)
  const { showPin, pin, focusComposer } = useStore.getState()
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])
  const close = () => {
    showPin(null)
    document.getElementById(chipId(entry.act.id))?.focus()
  }
  const unpin = () => {
    void pin(chat, entry.messageId, entry.act, false)
    if (hasMouse()) focusComposer()
  }
  const title = pinTitle(entry)
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={`Pinned: ${title}`}
      onKeyDown={(event) => {
        // A dialog or a menu above the panel closes first.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        close()
      }}
      className="absolute inset-x-3 top-[6.75rem] z-20 flex max-h-[min(40rem,calc(100%-14rem))] animate-rise flex-col rounded-panel bg-surface shadow-float outline-none sm:start-auto sm:end-4 sm:w-[28rem] sm:max-w-[calc(100%-2rem)] @min-[71rem]:top-16 @min-[71rem]:end-[13.5rem]"
    >
      <h2 className="sr-only">Pinned: {title}</h2>
      {/* The view has a frame of its own, so none is added here. */}
      <div className="min-h-0 overflow-y-auto rounded-t-panel [&_.widget]:shadow-none">
        <OpenedContent chat={chat} message={entry.messageId} act={entry.act} pinnable={false} />
      </div>
      <footer className="flex shrink-0 items-center gap-1 border-t border-hairline px-2 py-1.5">
        <a
          href={fragmentOf({ page: 'chat', id: chat, message: entry.messageId })}
          onClick={() => showPin(null)}
          className="flex h-8 items-center gap-2 rounded-control px-2 text-13 text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:h-11"
        >
          <CornerDownRight size={15} />
          Show in the conversation
        </a>
        <Button variant="quiet" className="ms-auto" icon={<PinOff size={15} />} onClick={unpin}>
          Unpin
        </Button>
        <Button variant="quiet" icon={<X size={15} />} onClick={close}>
          Close
        </Button>
      </footer>
    </aside>
  )
}
