import { Maximize2, Pin, PinOff } from 'lucide-react'
import { createContext, type ReactNode, type RefObject, useContext, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { CopyButton } from '@/design/CopyButton'
import { Dialog } from '@/design/Dialog'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'

interface Props {
  icon: ReactNode
  title: string
  /** True if the content reaches the edges of the frame. */
  bleed: boolean
  /** True for a single line, without a head and without a full-screen mode. */
  slim: boolean
  /** The text for the copy button. */
  copy?: string
  pinned?: boolean
  onPin?: (pinned: boolean) => void
  children: ReactNode
}

const Expanded = createContext(false)

/** Returns true if the widget is shown full screen. */
export function useExpanded(): boolean {
  return useContext(Expanded)
}

/** The frame around every widget: its title and the common actions. */
export function Frame({ icon, title, bleed, slim, copy, pinned = false, onPin, children }: Props) {
  const home = useRef<HTMLDivElement>(null)
  // The height reserved on the page while the content is in the dialog, otherwise null.
  const [room, setRoom] = useState<number | null>(null)
  const expanded = room !== null
  const actions = (
    <div className="widget-actions flex shrink-0 items-center gap-0.5" data-pinned={pinned || undefined}>
      {copy !== undefined && <CopyButton text={copy} label="Copy" />}
      {onPin && (
        <IconButton size="small" label={pinned ? 'Unpin' : 'Pin'} aria-pressed={pinned} onClick={() => onPin(!pinned)}>
          {pinned ? <PinOff size={15} /> : <Pin size={15} />}
        </IconButton>
      )}
      {!slim && (
        <IconButton size="small" label="Show full screen" onClick={() => setRoom(home.current?.offsetHeight ?? 0)}>
          <Maximize2 size={15} />
        </IconButton>
      )}
    </div>
  )
  if (slim) {
    return (
      <div role="group" aria-label={title} className="widget flex min-w-0 items-start gap-2.5 rounded-panel bg-surface py-2.5 ps-4 pe-2 text-15 shadow-lit sm:ps-5">
        <span aria-hidden="true" className="mt-1.5 text-faint">
          {icon}
        </span>
        <div className="@container min-w-0 flex-1 self-center">{children}</div>
        {actions}
      </div>
    )
  }
  const content = (
    <Expanded value={expanded}>
      <div className={classNames('@container', !bleed && 'px-4 pt-1 pb-4 sm:px-5 sm:pb-5')} data-expanded={expanded || undefined}>
        {children}
      </div>
    </Expanded>
  )
  return (
    <div role="group" aria-label={title} className="widget relative min-w-0 overflow-hidden rounded-panel bg-surface text-15 shadow-lit">
      <header className="flex min-h-11 items-center gap-2.5 py-1.5 ps-4 pe-2 sm:ps-5">
        <span aria-hidden="true" className="text-faint">
          {icon}
        </span>
        <h3 dir="auto" title={title} className="min-w-0 flex-1 truncate text-13 font-medium text-muted">
          {title}
        </h3>
        {actions}
      </header>
      <Movable content={content} title={title} home={home} room={room} onReturn={() => setRoom(null)} />
    </div>
  )
}

interface MovableProps {
  content: ReactNode
  title: string
  home: RefObject<HTMLDivElement | null>
  room: number | null
  onReturn: () => void
}

/**
 * Content in one element that moves between the page and the dialog without being remounted: a turned card
 * stays turned, a 3D model keeps its angle. Its height on the page is reserved, so that nothing jumps.
 */
function Movable({ content, title, home, room, onReturn }: MovableProps) {
  const [holder] = useState(() => document.createElement('div'))
  const away = room !== null
  useLayoutEffect(() => {
    if (away || !home.current) return
    move(holder, home.current)
  }, [away, holder, home])
  const comeBack = () => {
    // Must happen before the dialog is removed, which would otherwise take the content with it.
    if (home.current) move(holder, home.current)
    onReturn()
  }
  return (
    <>
      <div ref={home} style={away ? { height: room } : undefined} />
      {away && (
        <Dialog title={title} onClose={comeBack} width="sm:w-[72rem]">
          <Place onReady={(place) => move(holder, place)} />
        </Dialog>
      )}
      {createPortal(content, holder)}
    </>
  )
}

function Place({ onReady }: { onReady: (place: HTMLDivElement) => void }) {
  const place = useRef<HTMLDivElement>(null)
  const ready = useRef(onReady)
  useLayoutEffect(() => {
    if (place.current) ready.current(place.current)
  }, [])
  return <div ref={place} className="min-h-0 flex-1 overflow-y-auto" />
}

/** Moves an element, with `moveBefore` if the browser supports it, so that a frame inside keeps running. */
function move(element: HTMLElement, into: HTMLElement & { moveBefore?: (node: Node, before: Node | null) => void }): void {
  if (element.isConnected && into.isConnected && into.moveBefore) into.moveBefore(element, null)
  else into.append(element)
}
