import { Download as DownloadIcon, TriangleAlert } from 'lucide-react'
import type { CatalogueEntry, Download, ModelsReport } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { bytes } from '@/design/format'
import { useStore } from '@/store'
import { DownloadLine, isPending } from './DownloadLine'
import { ModelActions } from './ModelActions'

interface Props {
  entry: CatalogueEntry
  models: ModelsReport
  download: Download | undefined
}

/** A model of the catalogue: what it is, whether it fits, and the one thing to do with it. */
export function ModelRow({ entry, models, download }: Props) {
  const current = models.current.state !== 'none' && models.current.name === entry.name
  const recommended = models.recommended === entry.name
  const pending = download && isPending(download)
  return (
    <li className="px-5 py-3">
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-15 font-medium">{entry.title}</span>
            {recommended && <span className="text-12 text-accent-text">best for this machine</span>}
            {entry.tiny && <span className="text-12 text-faint">tiny, to try things</span>}
          </p>
          <p className="mt-0.5 text-13 text-muted">{entry.about}</p>
          <p className="mt-1 text-12 text-faint">
            {entry.parameters} · {bytes(entry.bytes)} · {entry.licence}
            {' · '}
            {entry.fits ? (
              `needs ${bytes(entry.memory)} of memory`
            ) : (
              <span className="text-warn">
                <TriangleAlert size={12} className="me-1 inline align-[-1px]" />
                needs {bytes(entry.memory)} of memory, this machine has {bytes(models.machine.memory)}
              </span>
            )}
          </p>
        </div>
        {!pending && <RowAction entry={entry} current={current} recommended={recommended} />}
      </div>
      {pending && <DownloadLine download={download} />}
    </li>
  )
}

function RowAction({ entry, current, recommended }: { entry: CatalogueEntry; current: boolean; recommended: boolean }) {
  const pull = useStore((state) => state.pull)
  if (current || entry.installed) {
    return <ModelActions name={entry.name} title={entry.title} current={current} size={entry.bytes} />
  }
  return (
    <Button
      look={recommended ? 'primary' : 'raised'}
      icon={<DownloadIcon size={14} />}
      aria-label={`Get ${entry.title}`}
      onClick={() => void pull({ name: entry.name, thenUse: true })}
    >
      Get
    </Button>
  )
}
