import { Download as DownloadIcon, TriangleAlert } from 'lucide-react'
import type { CatalogueEntry, Download, ModelsReport } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { bytes } from '@/design/format'
import { BacktickText } from '@/design/BacktickText'
import { useStore } from '@/store'
import { DownloadLine, isPending } from './DownloadLine'
import { ModelActions } from './ModelActions'
import { failureOf, isInUse } from './wording'

interface Props {
  entry: CatalogueEntry
  models: ModelsReport
  download: Download | undefined
}

/** A model of the catalogue: its description, whether it fits, and its action. */
export function ModelRow({ entry, models, download }: Props) {
  const current = isInUse(models, entry.name)
  const failure = entry.installed ? failureOf(models, entry) : null
  const recommended = models.recommended === entry.name
  const pending = download && isPending(download)
  return (
    <li className="px-5 py-3">
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-15 font-medium">{entry.title}</span>
            {recommended && <span className="text-12 text-accent-text">best for this machine</span>}
            {entry.tiny && <span className="text-12 text-faint">tiny, for trying</span>}
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
        {!pending && <RowAction entry={entry} current={current} failed={failure !== null} recommended={recommended} />}
      </div>
      {failure !== null && !pending && <Failure entry={entry} reason={failure} />}
      {pending && <DownloadLine download={download} />}
    </li>
  )
}

/** The error of a damaged file, which can be downloaded again. */
function Failure({ entry, reason }: { entry: CatalogueEntry; reason: string }) {
  const pull = useStore((state) => state.pullModel)
  return (
    <div role="alert" className="mt-2 text-13">
      <p className="wrap-anywhere text-danger">
        <BacktickText text={reason} />
      </p>
      <Button
        variant="quiet"
        className="-ms-3 mt-1"
        icon={<DownloadIcon size={14} />}
        aria-label={`Get ${entry.title} again`}
        onClick={() => void pull({ name: entry.name, thenUse: true })}
      >
        Download it again
      </Button>
    </div>
  )
}

interface ActionProps {
  entry: CatalogueEntry
  current: boolean
  failed: boolean
  recommended: boolean
}

function RowAction({ entry, current, failed, recommended }: ActionProps) {
  const pull = useStore((state) => state.pullModel)
  if (current || entry.installed) {
    return <ModelActions name={entry.name} title={entry.title} current={current} failed={failed} size={entry.bytes} />
  }
  return (
    <Button
      variant={recommended ? 'primary' : 'raised'}
      icon={<DownloadIcon size={14} />}
      aria-label={`Get ${entry.title}`}
      onClick={() => void pull({ name: entry.name, thenUse: true })}
    >
      Get
    </Button>
  )
}
