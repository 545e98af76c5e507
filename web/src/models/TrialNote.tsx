import { ArrowDownToLine, Sprout } from 'lucide-react'
import type { CatalogueEntry } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { bytes } from '@/design/format'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'
import { DownloadLine, isPending } from './DownloadLine'
import { betterModel, isTrial } from './wording'

/**
 * A note shown while a very small trial model is in use; offers the model that suits this machine, or the
 * list.
 */
export function TrialNote({ className }: { className?: string }) {
  const models = useStore((state) => state.models)
  if (!models || !isTrial(models)) return null
  const better = betterModel(models)
  const download = models.downloads.find(({ name }) => name === better?.name)
  if (better && download && isPending(download)) {
    return (
      <div className={classNames('w-full max-w-md text-start text-13', className)}>
        <p className="text-muted">{download.state === 'failed' ? `${better.title} could not be downloaded.` : `Downloading ${better.title}. It answers as soon as it is here.`}</p>
        <DownloadLine download={download} />
      </div>
    )
  }
  return (
    <p className={classNames('flex flex-wrap items-center gap-x-1.5 gap-y-1 text-13 text-muted', className)}>
      <Sprout size={15} aria-hidden="true" className="text-faint" />
      <span>A tiny model for trying.</span>
      <WayOn better={better} />
    </p>
  )
}

/**
 * The button for the better model, or for the list of all models if there is no recommendation for this
 * machine.
 */
function WayOn({ better }: { better: CatalogueEntry | null }) {
  const choosing = useStore((state) => state.chosenModel)
  const { pullModel, chooseModel, show } = useStore.getState()
  const look = { look: 'quiet', className: '-ms-1 h-7 px-2! text-accent-text! underline-offset-3 hover:underline' } as const
  if (!better) {
    return (
      <Button {...look} onClick={() => show({ kind: 'models' })}>
        See other models
      </Button>
    )
  }
  return (
    <Button
      {...look}
      icon={better.installed ? undefined : <ArrowDownToLine size={14} />}
      disabled={choosing !== null}
      onClick={() => void (better.installed ? chooseModel(better.name) : pullModel({ name: better.name, thenUse: true }))}
    >
      {better.installed ? (choosing === better.name ? `Loading ${better.title}…` : `Use ${better.title}`) : `Get ${better.title} (${bytes(better.bytes)})`}
    </Button>
  )
}
