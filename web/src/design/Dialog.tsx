import * as Radix from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from './IconButton'
import { join } from './join'

interface Props {
  title: string
  /** For those who hear the page; the title alone is shown. */
  about?: string
  onClose: () => void
  width?: string
  /** Without a head of its own: the content begins at the top, and still has the title as its name. */
  bare?: boolean
  children: ReactNode
}

/** What had the focus before anything stood over the page. */
let origin: Element | null = null

/** Radix goes back to a trigger only, and no dialog here has one. One that follows upon another goes back to where the first was opened. */
function findOrigin(): Element | null {
  const { activeElement } = document
  if (!activeElement?.closest('[data-dialog]')) origin = activeElement
  return origin
}

/** A panel over the page; on a phone it is the page. Focus stays inside, and returns where it came from. */
export function Dialog({ title, about, onClose, width = 'sm:w-[35rem]', bare = false, children }: Props) {
  const [from] = useState(findOrigin)
  return (
    <Radix.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 animate-appear bg-veil" />
        <Radix.Content
          {...(about ? {} : { 'aria-describedby': undefined })}
          tabIndex={-1}
          onOpenAutoFocus={(event) => {
            // The panel itself, not its close button, unless something inside has asked for the focus.
            event.preventDefault()
            const panel = event.currentTarget as HTMLElement
            if (!panel.contains(document.activeElement)) panel.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const back = from?.isConnected ? from : document.querySelector('main')
            // What was chosen in it may have given the focus to something else already.
            if (back instanceof HTMLElement && document.activeElement === document.body) back.focus()
          }}
          data-dialog
          className={join(
            'fixed z-30 flex animate-rise flex-col overflow-hidden bg-surface shadow-float outline-none',
            'inset-0 pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] sm:inset-auto sm:top-[min(12vh,7rem)] sm:left-1/2 sm:max-h-[calc(100dvh-min(12vh,7rem)-3rem)] sm:max-w-[calc(100vw-3rem)] sm:-translate-x-1/2 sm:rounded-panel sm:py-0',
            width,
          )}
        >
          {bare ? (
            <Radix.Title className="sr-only">{title}</Radix.Title>
          ) : (
            <div className="flex shrink-0 items-center justify-between gap-4 py-3 ps-5 pe-3">
              <Radix.Title className="text-17 font-medium">{title}</Radix.Title>
              <Radix.Close asChild>
                <IconButton label="Close">
                  <X size={18} />
                </IconButton>
              </Radix.Close>
            </div>
          )}
          {about && <Radix.Description className="sr-only">{about}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
