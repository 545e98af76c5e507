import { ChevronDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '@/design/Button'
import { TextField } from '@/design/Field'

interface Common {
  disabled: boolean
  /** The ids of the texts that label and describe the control. */
  label: string
  about: string
  onChange: (value: unknown) => void
}

/** Holds the typed text until it is submitted with Enter or by leaving the field. */
function useTyped(value: string): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  return [typed, setTyped]
}

interface TypedProps extends Common {
  value: string
  onKeep: (text: string) => void
  placeholder?: string
  inputMode?: 'decimal'
}

function TypedField({ value, onKeep, disabled, label, about, placeholder, inputMode }: TypedProps) {
  const [typed, setTyped] = useTyped(value)
  const keep = () => {
    if (typed !== value) onKeep(typed)
  }
  return (
    <TextField
      aria-labelledby={label}
      aria-describedby={about}
      disabled={disabled}
      value={typed}
      placeholder={placeholder}
      inputMode={inputMode}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) keep()
        if (event.key === 'Escape') setTyped(value)
      }}
    />
  )
}

export function TextControl({ value, fallback, onChange, ...common }: Common & { value: string; fallback: string }) {
  return <TypedField {...common} value={value} placeholder={fallback} onChange={onChange} onKeep={onChange} />
}

export function NumberControl({ value, onChange, ...common }: Common & { value: number | null }) {
  const keep = (text: string) => {
    const number = Number(text.trim().replace(',', '.'))
    // Text that is not a number is sent unchanged, so that the server's error explains what it expects.
    onChange(text.trim() === '' ? null : Number.isNaN(number) ? text : number)
  }
  return <TypedField {...common} inputMode="decimal" value={value === null ? '' : String(value)} onChange={onChange} onKeep={keep} />
}

interface Choice {
  value: string
  title: string
}

export function ChoiceControl({ value, choices, disabled, label, about, onChange }: Common & { value: string; choices: Choice[] }) {
  return (
    <span className="relative block w-full">
      <select
        aria-labelledby={label}
        aria-describedby={about}
        disabled={disabled}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-full appearance-none rounded-control bg-well ps-3 pe-9 text-15 shadow-[inset_0_0_0_1px_var(--hairline)] outline-offset-0 pointer-coarse:h-11"
      >
        {!choices.some((choice) => choice.value === value) && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </select>
      <ChevronDown size={15} className="pointer-events-none absolute end-3 top-1/2 -translate-y-1/2 text-faint" />
    </span>
  )
}

/** A list with one entry per line. */
export function ListControl({ value, disabled, label, about, onChange }: Common & { value: string[] }) {
  const text = value.join('\n')
  const [typed, setTyped] = useTyped(text)
  return (
    <textarea
      aria-labelledby={label}
      aria-describedby={about}
      disabled={disabled}
      rows={Math.min(6, Math.max(2, typed.split('\n').length))}
      value={typed}
      placeholder="One on each line"
      spellCheck={false}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        if (typed !== text) onChange(typed.split('\n').map((line) => line.trim()).filter(Boolean))
      }}
      className="w-full rounded-control bg-well px-3 py-2 font-mono text-13 shadow-[inset_0_0_0_1px_var(--hairline)] outline-offset-0"
    />
  )
}

/** A secret, which can be set and removed but never read. */
export function SecretControl({ isSet, disabled, label, about, onChange }: Common & { isSet: boolean }) {
  const [typing, setTyping] = useState(false)
  const [secret, setSecret] = useState('')
  if (!typing) {
    return (
      <div className="flex items-center gap-2">
        <span className="text-13 text-muted">{isSet ? 'Set' : 'Not set'}</span>
        <Button disabled={disabled} onClick={() => setTyping(true)}>
          {isSet ? 'Replace' : 'Set'}
        </Button>
        {isSet && (
          <Button variant="danger" disabled={disabled} onClick={() => onChange(null)}>
            Remove
          </Button>
        )}
      </div>
    )
  }
  const close = () => {
    setTyping(false)
    setSecret('')
  }
  return (
    <form
      className="flex w-full gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (secret !== '') onChange(secret)
        close()
      }}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <TextField
        autoFocus
        type="password"
        autoComplete="new-password"
        aria-labelledby={label}
        aria-describedby={about}
        value={secret}
        onChange={(event) => setSecret(event.target.value)}
      />
      <Button type="submit" variant="primary" className="h-9">
        Save
      </Button>
    </form>
  )
}
