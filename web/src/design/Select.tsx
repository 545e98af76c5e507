import { ChevronDown } from 'lucide-react'
import type { ReactNode, SelectHTMLAttributes } from 'react'
import { classNames } from './classNames'

interface Props extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  label: string
  value: string
  onChange: (value: string) => void
  className?: string
  children: ReactNode
}

/** A selection with few options, styled like the search field beside it. */
export function Select({ label, value, onChange, className = 'max-sm:flex-1 sm:w-40', children, ...rest }: Props) {
  return (
    <span className={classNames('relative flex', className)}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-full appearance-none rounded-control bg-[color-mix(in_oklab,var(--text)_5%,transparent)] ps-3 pe-8 text-13 text-text pointer-coarse:h-11 [&>option]:bg-raised"
        {...rest}
      >
        {children}
      </select>
      <ChevronDown size={14} className="pointer-events-none absolute end-2.5 top-1/2 -translate-y-1/2 text-faint" />
    </span>
  )
}
