import { Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { retryNow } from '@/api/retry'
import { Button } from '@/design/Button'
import { useStore } from '@/store'

/** The time before a lost connection is reported; one that comes back at once is not worth mentioning. */
const SILENT_MS = 1500

export function OfflineBanner() {
  const since = useStore((state) => state.connection.since)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (since === null) {
      setShown(false)
      return
    }
    const timer = setTimeout(() => setShown(true), SILENT_MS)
    return () => clearTimeout(timer)
  }, [since])
  if (!shown) return <div role="status" />
  return (
    <div
      role="status"
      className="flex shrink-0 animate-appear flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-[color-mix(in_oklab,var(--warn)_10%,var(--ground))] px-4 py-1.5 text-13"
    >
      <Unplug size={15} className="text-warn max-sm:hidden" />
      <span>Perigee does not answer. What you write is kept, and this page reconnects by itself.</span>
      <Button variant="quiet" className="h-7 text-text" onClick={retryNow}>
        Try now
      </Button>
    </div>
  )
}
