import * as Radix from '@radix-ui/react-dropdown-menu'
import type { ReactNode } from 'react'
import { join } from './join'
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
      className={join(
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

export const MenuLine = () => <Radix.Separator className="mx-2 my-1 h-px bg-hairline" />
