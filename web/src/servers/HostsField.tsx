import { type Ref, useId } from 'react'
import { TextField } from '@/design/Field'
import { classNames } from '@/design/classNames'

interface Props {
  ref: Ref<HTMLInputElement>
  value: string
  fault: string | null
  onChange: (hosts: string) => void
}

/** The field for the hosts that a server may reach. */
export function HostsField({ ref, value, fault, onChange }: Props) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id}>Hosts that it may reach</label>
      <p id={`${id}about`} className="text-12/5 text-muted">
        Separate them with commas. * allows every public host. Leave it empty to allow none.
      </p>
      <TextField
        ref={ref}
        id={id}
        mono
        dir="ltr"
        value={value}
        placeholder="api.example.org"
        aria-invalid={fault !== null}
        aria-describedby={classNames(`${id}about`, fault !== null && `${id}fault`)}
        onChange={(event) => onChange(event.target.value)}
        className="sm:max-w-96"
      />
      {fault !== null && (
        <p id={`${id}fault`} role="alert" className="text-12/5 wrap-anywhere text-danger">
          {fault}
        </p>
      )}
    </div>
  )
}
