import * as Radix from '@radix-ui/react-dropdown-menu'
import type { ReactNode } from 'react'
import { classNames } from './classNames'
import { Keys } from './Keys'

interface MenuProps {
  trigger: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  label: string
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

export function Menu({ trigger, align = 'end', side = 'bottom', label, onOpenChange, children }: MenuProps) {
  return (
    <Radix.Root modal={false} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 animate-rise overflow-y-auto rounded-card bg-raised p-1 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface ItemProps {
  icon?: ReactNode
  keys?: string
  danger?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, keys, danger = false, onSelect, children }: ItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      className={classNames(
        'flex h-8 items-center gap-2.5 rounded-control px-2 text-13 outline-none select-none data-highlighted:bg-hover pointer-coarse:h-11',
        danger ? 'text-danger' : 'text-text',
      )}
    >
      <span className={danger ? '' : 'text-muted'}>{icon}</span>
      <span className="flex-1">{children}</span>
      {keys && <Keys keys={keys} />}
    </Radix.Item>
  )
}

interface CheckProps {
  icon?: ReactNode
  on: boolean
  disabled?: boolean
  onChange: (on: boolean) => void
  /** A note in small print below the item. */
  about?: string
  children: ReactNode
}

/** A menu item with a check mark. The menu stays open, since there may be more to switch. */
export function MenuCheck({ icon, on, disabled = false, onChange, about, children }: CheckProps) {
  return (
    <Radix.CheckboxItem
      checked={on}
      disabled={disabled}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className="flex min-h-8 items-center gap-2.5 rounded-control px-2 py-1 text-13 text-text outline-none select-none data-disabled:opacity-60 data-highlighted:bg-hover pointer-coarse:min-h-11"
    >
      <span className="text-muted">{icon}</span>
      <span className="min-w-0 flex-1">
        {children}
        {about && <span className="block text-12 text-faint">{about}</span>}
      </span>
      <span
        aria-hidden="true"
        className={classNames('relative h-4 w-7 shrink-0 rounded-full transition-colors duration-200', on ? 'bg-accent' : 'bg-[color-mix(in_oklab,var(--text)_22%,transparent)]')}
      >
        <span className={classNames('absolute top-0.5 left-0.5 size-3 rounded-full transition-transform duration-200 ease-settle', on ? 'translate-x-3 bg-on-accent' : 'bg-[light-dark(white,var(--text))]')} />
      </span>
    </Radix.CheckboxItem>
  )
}

export const MenuTitle = ({ children }: { children: ReactNode }) => <Radix.Label className="px-2 pt-1.5 pb-1 text-12 text-faint">{children}</Radix.Label>

export const MenuLine = () => <Radix.Separator className="mx-2 my-1 h-px bg-hairline" />
