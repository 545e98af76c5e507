import { type KeyboardEvent, useId } from 'react'
import { Switch, TextField } from '@/design/Field'
import { classNames } from '@/design/classNames'
import { Select } from '@/design/Select'
import { own } from '@/design/own'
import { EditText } from '@/memory/EditText'
import type { Filling, Fillings, FormField } from './form'
import { plain } from './wording'

interface Props {
  fields: FormField[]
  fillings: Fillings
  faults: Record<string, string>
  onChange: (name: string, filling: Filling) => void
  /** Called on Enter in a single-line field. */
  onEnter: () => void
}

/** The fields of a form. Its schema may be untrusted, so everything in it is shown as plain text. */
export function FormFields({ fields, fillings, faults, onChange, onEnter }: Props) {
  return (
    <div className="flex flex-col gap-3.5">
      {fields.map((field) => (
        <OneField key={field.name} field={field} filling={own(fillings, field.name) ?? field.initial} fault={own(faults, field.name)} onChange={(filling) => onChange(field.name, filling)} onEnter={onEnter} />
      ))}
    </div>
  )
}

/** Focuses the first invalid field. */
export function focusFault(within: ParentNode | null): void {
  requestAnimationFrame(() => within?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

interface FieldProps {
  field: FormField
  filling: Filling
  fault: string | undefined
  onChange: (filling: Filling) => void
  onEnter: () => void
}

function OneField({ field, filling, fault, onChange, onEnter }: FieldProps) {
  const id = useId()
  const title = plain(field.title)
  const described = [...(field.about === '' ? [] : [`${id}about`]), ...(fault === undefined ? [] : [`${id}fault`])].join(' ')
  const about = field.about !== '' && (
    <p id={`${id}about`} className="text-12/5 wrap-anywhere text-muted" dir="auto">
      {plain(field.about)}
    </p>
  )
  if (field.kind === 'switch') {
    return (
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p id={`${id}label`} className="text-13 wrap-anywhere" dir="auto">
            {title}
          </p>
          {about}
        </div>
        <Switch on={filling === true} labelledBy={`${id}label`} onChange={onChange} />
      </div>
    )
  }
  const several = field.kind === 'choices'
  return (
    <div className="flex min-w-0 flex-col gap-1" {...(several ? { role: 'group', 'aria-labelledby': `${id}label` } : {})}>
      <label id={`${id}label`} {...(several ? {} : { htmlFor: id })} className="text-13 wrap-anywhere" dir="auto">
        {title}
        {!field.required && <span className="text-faint"> optional</span>}
      </label>
      {about}
      <Control id={id} field={field} filling={filling} described={described} invalid={fault !== undefined} onChange={onChange} onEnter={onEnter} />
      {fault !== undefined && (
        <p id={`${id}fault`} role="alert" className="text-12/5 wrap-anywhere text-danger">
          {fault}
        </p>
      )}
    </div>
  )
}

interface ControlProps extends Omit<FieldProps, 'fault'> {
  id: string
  described: string
  invalid: boolean
}

function Control({ id, field, filling, described, invalid, onChange, onEnter }: ControlProps) {
  const shared = { id, 'aria-invalid': invalid, 'aria-required': field.required, ...(described === '' ? {} : { 'aria-describedby': described }) }
  const value = typeof filling === 'string' ? filling : ''
  switch (field.kind) {
    case 'choice':
      return (
        <Select label={plain(field.title)} value={value} onChange={onChange} className="w-full sm:max-w-72" {...shared}>
          {(value === '' || !field.required) && <option value="">{field.required ? 'Choose one' : 'None'}</option>}
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {plain(option.title)}
            </option>
          ))}
        </Select>
      )
    case 'choices':
      return <Choices field={field} chosen={Array.isArray(filling) ? filling : []} invalid={invalid} onChange={onChange} />
    case 'long':
    case 'json':
      return <EditText label={plain(field.title)} value={value} onChange={onChange} className={classNames('min-h-16', field.kind === 'json' && 'font-mono pointer-fine:text-13/5')} {...shared} />
    default:
      return (
        <TextField
          {...shared}
          dir="auto"
          value={value}
          inputMode={field.kind === 'integer' ? 'numeric' : field.kind === 'number' ? 'decimal' : 'text'}
          className={field.kind === 'text' ? '' : 'sm:max-w-40'}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            onEnter()
          }}
        />
      )
  }
}

function Choices({ field, chosen, invalid, onChange }: { field: FormField; chosen: string[]; invalid: boolean; onChange: (chosen: string[]) => void }) {
  return (
    <div className="flex flex-wrap gap-x-4">
      {field.options.map(({ value, title }, at) => (
        <label key={value} className="flex min-h-7 items-center gap-2 text-13 pointer-coarse:min-h-11" dir="auto">
          <input
            type="checkbox"
            aria-invalid={invalid && at === 0}
            checked={chosen.includes(value)}
            onChange={(event) => onChange(event.target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))}
            className="size-4 accent-(--accent)"
          />
          {plain(title)}
        </label>
      ))}
    </div>
  )
}
