import type { InputHTMLAttributes, Ref } from 'react'
import { classNames } from './classNames'

interface TextProps extends InputHTMLAttributes<HTMLInputElement> {
  ref?: Ref<HTMLInputElement>
  mono?: boolean
}

export function TextField({ className, mono = false, type = 'text', ...rest }: TextProps) {
  return (
    <input
      type={type}
      spellCheck={false}
      autoComplete="off"
      className={classNames(
        'h-9 w-full min-w-0 rounded-control bg-well px-3 text-15 shadow-[inset_0_0_0_1px_var(--hairline)] outline-offset-0 pointer-coarse:h-11 pointer-coarse:text-[1rem]',
        mono && 'font-mono text-13',
        className,
      )}
      {...rest}
    />
  )
}

interface SwitchProps {
  on: boolean
  onChange: (on: boolean) => void
  disabled?: boolean
  labelledBy: string
}

export function Switch({ on, onChange, disabled = false, labelledBy }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-labelledby={labelledBy}
      disabled={disabled}
      onClick={() => onChange(!on)}
      className={classNames(
        'relative h-5 w-9 shrink-0 rounded-full transition-colors duration-200',
        on ? 'bg-accent' : 'bg-[color-mix(in_oklab,var(--text)_22%,transparent)]',
      )}
    >
      <span
        className={classNames(
          'absolute top-0.5 left-0.5 size-4 rounded-full transition-transform duration-200 ease-settle',
          on ? 'translate-x-4 bg-on-accent' : 'bg-[light-dark(white,var(--text))]',
        )}
      />
    </button>
  )
}
