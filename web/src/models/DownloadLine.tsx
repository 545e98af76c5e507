import { X } from 'lucide-react'
import { sentence } from '@/api/http'
import type { Download } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { bytes, roughTimeLeft } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { Progress } from '@/design/Progress'
import { BacktickText } from '@/design/BacktickText'
import { useStore } from '@/store'

/** Returns true if the download is in progress or needs attention. */
export function isPending(download: Download): boolean {
  return download.state !== 'done' && download.state !== 'cancelled'
}

export function DownloadLine({ download }: { download: Download }) {
  const { cancelPull, pullModel } = useStore.getState()
  if (download.state === 'failed') {
    return (
      <div role="alert" className="mt-2 text-13">
        <p className="wrap-anywhere text-danger"><BacktickText text={sentence(download.message || 'The download failed. What arrived is kept.')} /></p>
        <Button className="mt-2" onClick={() => void pullModel({ name: download.name, thenUse: true })}>
          Continue the download
        </Button>
      </div>
    )
  }
  const part = download.total > 0 ? download.received / download.total : null
  return (
    <div className="mt-2.5 flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <Progress part={download.state === 'checking' ? null : part} label={`Download of ${download.name}`} />
        <p className="mt-1.5 truncate text-12 text-faint">{progressWords(download)}</p>
      </div>
      <IconButton size="small" label="Cancel the download" onClick={() => void cancelPull(download.name)}>
        <X size={15} />
      </IconButton>
    </div>
  )
}

export function progressWords(download: Download): string {
  if (download.state === 'waiting') return download.message || 'Starting…'
  if (download.state === 'checking') return 'Checking the file…'
  const parts = [download.total > 0 ? `${bytes(download.received)} of ${bytes(download.total)}` : bytes(download.received)]
  if (download.bytesPerSecond > 0) parts.push(`${bytes(download.bytesPerSecond)}/s`)
  if (download.secondsLeft !== null) parts.push(roughTimeLeft(download.secondsLeft))
  return parts.join(' · ')
}
