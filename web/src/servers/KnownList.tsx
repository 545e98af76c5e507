import { ExternalLink, FolderOpen } from 'lucide-react'
import { useId, useState } from 'react'
import { FolderPicker } from '@/code/FolderPicker'
import { Button } from '@/design/Button'
import { classNames } from '@/design/classNames'
import { plain } from '@/tools/wording'
import { KNOWN, type KnownServer, NEEDS } from './known'

interface Props {
  chosen: string | null
  folder: string
  onChange: (part: { known?: string; folder?: string }) => void
}

/** Popular servers, each chosen with a click. */
export function KnownList({ chosen, folder, onChange }: Props) {
  const group = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="pb-2 text-13 text-muted">What should she be able to do?</legend>
      {KNOWN.map((known) => (
        <div
          key={known.name}
          className={classNames('rounded-card transition-[box-shadow,background-color]', chosen === known.name ? 'bg-raised shadow-[inset_0_0_0_1.5px_var(--accent)]' : 'shadow-[inset_0_0_0_1px_var(--hairline)] hover:bg-hover')}
        >
          <label className="flex items-center gap-3 rounded-card px-3.5 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-blue">
            <input type="radio" name={group} checked={chosen === known.name} onChange={() => onChange({ known: known.name, folder: '' })} className="sr-only" />
            <known.icon size={18} className={classNames('shrink-0', chosen === known.name ? 'text-accent-text' : 'text-muted')} />
            <span className="min-w-0 flex-1">
              <span className="block text-15">{known.title}</span>
              <span className="block text-13 text-muted">{known.about}</span>
            </span>
            <span className="shrink-0 text-end text-12 text-faint max-sm:max-w-20">{NEEDS[known.needs].label}</span>
          </label>
          {chosen === known.name && <Install known={known} />}
          {chosen === known.name && known.folder && <Where known={known} folder={folder} onPick={(path) => onChange({ folder: path })} />}
        </div>
      ))}
    </fieldset>
  )
}

/**
 * The program that has to be installed for a server, with its download page. Perigee cannot tell beforehand
 * whether it is present.
 */
function Install({ known }: { known: KnownServer }) {
  const needs = NEEDS[known.needs]
  if (!needs.install) return null
  return (
    <p className="px-3.5 pb-3 text-13 text-pretty text-muted">
      {needs.install.program} has to be installed on the machine that runs Perigee.{' '}
      <a href={needs.install.page} target="_blank" rel="noopener noreferrer" className="whitespace-nowrap text-blue underline decoration-1 underline-offset-3">
        Get {needs.install.program}
        <ExternalLink size={13} aria-hidden="true" className="ms-1 inline-block align-[-0.1em]" />
      </a>
    </p>
  )
}

/** The choice of the folder in which the server works. */
function Where({ known, folder, onPick }: { known: KnownServer; folder: string; onPick: (path: string) => void }) {
  const [open, setOpen] = useState(folder === '')
  return (
    <div className="px-3.5 pb-3.5">
      <p className="pb-1.5 text-13 text-muted">{known.folder}</p>
      {open ? (
        <FolderPicker
          action="Use this folder"
          variant="raised"
          onPick={(path) => {
            onPick(path)
            setOpen(false)
          }}
        />
      ) : (
        <div className="flex items-center gap-3">
          <FolderOpen size={16} className="shrink-0 text-faint" />
          <bdi className="min-w-0 flex-1 truncate font-mono text-13">{plain(folder)}</bdi>
          <Button onClick={() => setOpen(true)}>Change</Button>
        </div>
      )}
    </div>
  )
}
