import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/design/Button'

/** A page of its own within ours: it may run, but reaches neither this page nor the network. */
export function Interactive({ id, title }: { id: string; title: string }) {
  const [run, setRun] = useState(0)
  return (
    <>
      <iframe key={run} title={title} sandbox="allow-scripts" src={`/frame/${encodeURIComponent(id)}`} className="widget-stage block w-full bg-well" />
      <footer className="flex min-h-11 items-center gap-3 ps-4 pe-2 text-12 text-faint sm:ps-5">
        <span className="flex-1">It runs by itself and reaches nothing else.</span>
        <Button look="quiet" icon={<RotateCcw size={14} />} onClick={() => setRun(run + 1)}>
          Reset
        </Button>
      </footer>
    </>
  )
}
