import * as Radix from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from './IconButton'
import { classNames } from './classNames'

interface Props {
  title: string
  /** A description for screen readers; only the title is shown. */
  about?: string
  onClose: () => void
  width?: string
  /** Leaves out the header: the content starts at the top, and the title remains as the accessible name. */
  bare?: boolean
  children: ReactNode
}

/** The element that had the focus before the first dialog opened. */
let origin: Element | null = null

/**
 * Returns the element that gets the focus back. Radix returns it only to a trigger, which no dialog here has.
 * A dialog that follows another one returns it to where the first was opened.
 */
function findOrigin(): Element | null {
  const { activeElement } = document
  if (!activeElement?.closest('[data-dialog]')) origin = activeElement
  return origin
}

/**
 * A panel over the page, or a full page on a phone. The focus stays inside, and returns to where it came
 * from.
 */
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
            // Focus the panel itself rather than its close button, unless an element inside has taken the
            // focus.
            event.preventDefault()
            const panel = event.currentTarget as HTMLElement
            if (!panel.contains(document.activeElement)) panel.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const back = from?.isConnected ? from : document.querySelector('main')
            // An action chosen in the dialog may already have moved the focus.
            if (back instanceof HTMLElement && document.activeElement === document.body) back.focus()
          }}
          data-dialog
          className={classNames(
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
