import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from './classNames'
import { Tooltip } from './Tooltip'

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** A description of the action, used as accessible name and tooltip. */
  label: string
  keys?: string
  side?: 'top' | 'bottom' | 'left' | 'right'
  size?: 'small' | 'normal'
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function IconButton({ label, keys, side, size = 'normal', className, children, ...rest }: Props) {
  return (
    <Tooltip label={label} keys={keys} {...(side ? { side } : {})}>
      <button
        type="button"
        aria-label={label}
        className={classNames(
          'grid shrink-0 place-items-center rounded-control text-muted transition-colors hover:bg-hover hover:text-text active:bg-pressed aria-pressed:text-accent-text',
          size === 'small' ? 'size-7 pointer-coarse:size-9' : 'size-8 pointer-coarse:size-11',
          className,
        )}
        {...rest}
      >
        {children}
      </button>
    </Tooltip>
  )
}
