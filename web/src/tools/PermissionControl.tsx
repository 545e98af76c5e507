import { RotateCcw } from 'lucide-react'
import { useId } from 'react'
import type { ToolInfo } from '@/api/protocol.gen'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { own } from '@/design/own'
import { useStore } from '@/store'
import { toolName } from './names'
import { PERMISSIONS } from './wording'

/** The control for a tool's permission, with three choices of which one is the default. */
export function PermissionControl({ tool }: { tool: ToolInfo }) {
  const permit = useStore((state) => state.setPermission)
  const trouble = useStore((state) => own(state.permitTrouble, tool.name))
  const group = useId()
  const byDefault = PERMISSIONS.find(({ permission }) => permission === tool.defaultPermission)?.title ?? ''
  const changed = tool.permission !== tool.defaultPermission
  return (
    <div className="flex shrink-0 flex-col gap-1 sm:w-[13.5rem] sm:items-end">
      <fieldset className="grid w-full max-w-[13.5rem] grid-cols-3 rounded-control bg-[color-mix(in_oklab,var(--text)_6%,transparent)] p-0.5">
        <legend className="sr-only">May she use {toolName(tool.name)}?</legend>
        {PERMISSIONS.map(({ permission, title, about }) => (
          <label
            key={permission}
            title={about}
            className={classNames(
              'flex h-7 items-center justify-center gap-1.5 rounded-[5px] text-13 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-blue pointer-coarse:h-10',
              tool.permission === permission ? LOOKS[permission] : 'text-muted hover:text-text',
            )}
          >
            <input
              type="radio"
              name={group}
              value={permission}
              checked={tool.permission === permission}
              onChange={() => void permit(tool.name, permission)}
              className="sr-only"
            />
            {title}
            {permission === tool.defaultPermission && <span className="sr-only">, the default</span>}
          </label>
        ))}
      </fieldset>
      <p className="flex h-7 items-center gap-1 text-12 text-faint sm:pe-1">
        {changed ? `Default: ${byDefault}` : 'Default'}
        {changed && (
          <IconButton size="small" label={`Reset to the default: ${byDefault}`} className="sm:-me-1" onClick={() => void permit(tool.name, tool.defaultPermission)}>
            <RotateCcw size={13} />
          </IconButton>
        )}
      </p>
      {trouble && (
        <p role="alert" className="text-12 text-danger">
          {trouble} It stays as it was.
        </p>
      )}
    </div>
  )
}

const LOOKS = {
  allow: 'bg-raised text-text shadow-lit',
  confirm: 'bg-raised text-warn shadow-lit',
  block: 'bg-raised text-danger shadow-lit',
}
