import * as Radix from '@radix-ui/react-tooltip'
import type { ReactNode } from 'react'
import { Keys } from './Keys'

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={500} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
)

interface Props {
  label: string
  keys?: string | undefined
  side?: 'top' | 'bottom' | 'left' | 'right'
  children: ReactNode
}

/**
 * The description and shortcut of a button without text. The button has the same label as its accessible
 * name.
 */
export function Tooltip({ label, keys, side = 'top', children }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex animate-appear items-center gap-2 rounded-control bg-raised px-2 py-1 text-12 text-text shadow-float select-none"
        >
          {label}
          {keys && <Keys keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
