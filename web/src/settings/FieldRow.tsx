import { Check, RotateCcw } from 'lucide-react'
import { memo, useId } from 'react'
import type { ConfigField } from '@/api/protocol.gen'
import { capital } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { own } from '@/design/own'
import { Switch } from '@/design/Field'
import { BacktickText } from '@/design/BacktickText'
import { useStore } from '@/store'
import { ChoiceControl, ListControl, NumberControl, SecretControl, TextControl } from './controls'
import { choiceTitle, FIELDS, fieldTitle } from './fields'
import type { Saving } from './slice'
import { locked, settingOrigin, shown } from './wording'

const fileOf = (path: string) => path.replace(/^.*\//, '')

interface Props {
  field: ConfigField
  path: string
  /** The title of the setting's page, if another page is shown. */
  page?: string
  /** Shows the setting's key in the config file as well. */
  raw?: boolean
}

/** A setting: its description, control, the origin of its value, and a reset button. */
export const FieldRow = memo(function FieldRow({ field, path, page, raw = false }: Props) {
  const saving = useStore((state) => state.saving[field.key])
  const change = useStore((state) => state.changeConfig)
  const label = useId()
  const about = useId()
  const lock = locked(field.from)
  const from = settingOrigin(field.from)
  return (
    <div id={`field ${field.key}`} className="flex flex-col gap-x-8 gap-y-2.5 py-4 sm:flex-row sm:items-start">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span id={label} className="text-15" title={`${field.key} in ${fileOf(path)}`}>
            {fieldTitle(field.key)}
          </span>
          {page && <span className="text-12 text-faint">{page}</span>}
          {raw && <code className="font-mono text-12 text-faint">{field.key}</code>}
        </p>
        <p id={about} className="mt-0.5 max-w-[32rem] text-13 text-muted">
          <BacktickText text={own(FIELDS, field.key)?.about ?? field.about} />
        </p>
        {lock && <p className="mt-1 text-12 text-warn">{lock}</p>}
        <Outcome saving={saving} />
      </div>
      <div className="flex min-w-0 flex-col gap-1 sm:w-64 sm:items-end">
        <Control field={field} path={path} locked={lock !== null} label={label} about={about} onChange={(value) => void change(field.key, value)} />
        {from && !lock && (
          <p className="flex h-7 items-center gap-1 text-12 text-faint">
            {from}
            <IconButton size="small" label={`Reset to the default: ${shown(field.key, field.default)}`} onClick={() => void change(field.key, null)}>
              <RotateCcw size={13} />
            </IconButton>
          </p>
        )}
      </div>
    </div>
  )
})

function Outcome({ saving }: { saving: Saving | undefined }) {
  if (!saving) return null
  if (saving.state === 'failed') {
    return (
      <p role="alert" className="mt-1 text-13 text-danger">
        <BacktickText text={saving.message} />
      </p>
    )
  }
  return (
    <p role="status" className="mt-1 flex items-center gap-1 text-12 text-faint">
      {saving.state === 'saved' ? (
        <>
          <Check size={13} className="text-ok" /> Saved
        </>
      ) : (
        'Saving…'
      )}
    </p>
  )
}

interface ControlProps {
  field: ConfigField
  path: string
  locked: boolean
  label: string
  about: string
  onChange: (value: unknown) => void
}

function Control({ field, path, locked: disabled, label, about, onChange }: ControlProps) {
  const common = { disabled, label, about }
  switch (field.kind) {
    case 'switch':
      return <Switch on={field.value === true} onChange={onChange} disabled={disabled} labelledBy={label} />
    case 'choice':
      return <ChoiceControl {...common} value={String(field.value ?? '')} choices={field.choices.map((value) => ({ value, title: choiceTitle(field.key, value) }))} onChange={onChange} />
    case 'number':
      return <NumberControl {...common} value={typeof field.value === 'number' ? field.value : null} onChange={onChange} />
    case 'secret':
      return <SecretControl {...common} isSet={field.value === true} onChange={onChange} />
    case 'list':
      return <ListControl {...common} value={Array.isArray(field.value) ? field.value.map(String) : []} onChange={onChange} />
    case 'table':
      return <p className="text-13 text-muted sm:text-end">Edited in the file: {fileOf(path)}</p>
    case 'text':
      return <TextControl {...common} value={typeof field.value === 'string' ? field.value : ''} fallback={capital(shown(field.key, field.default))} onChange={onChange} />
  }
}
