import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from './classNames'

type Variant = 'primary' | 'raised' | 'quiet' | 'danger'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

const VARIANTS: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent font-medium hover:brightness-105 active:brightness-95',
  raised: 'bg-raised text-text shadow-lit hover:bg-[color-mix(in_oklab,var(--text)_5%,var(--raised))]',
  quiet: 'text-muted hover:bg-hover hover:text-text active:bg-pressed',
  danger: 'text-danger hover:bg-[color-mix(in_oklab,var(--danger)_12%,transparent)]',
}

export function Button({ variant = 'raised', icon, className, children, type = 'button', ...rest }: Props) {
  return (
    <button
      type={type}
      className={classNames(
        'inline-flex h-8 shrink-0 items-center justify-center gap-2 rounded-control px-3 text-13 whitespace-nowrap transition-[background-color,color,filter] pointer-coarse:h-10 pointer-coarse:px-4',
        VARIANTS[variant],
        className,
      )}
      {...rest}
    >
      {icon}
      {children}
    </button>
  )
}
