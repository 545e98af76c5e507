import './interactive.css'
import { Play, RotateCcw, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/design/Button'

/**
 * An embedded page written by the model. It cannot access this page, but browsers have ways to the network
 * that no policy closes, so it runs only on request and only while it is shown.
 */
export function Interactive({ id, title }: { id: string; title: string }) {
  // Each start has its own number, so that the frame is remounted; null is stopped.
  const [run, setRun] = useState<number | null>(null)
  const begin = useRef<HTMLButtonElement>(null)
  const stop = useRef<HTMLButtonElement>(null)
  const running = run !== null
  const pressed = useRef(false)

  useEffect(() => {
    if (!pressed.current) return
    // The focus does not move into the page, which could trap keyboard users.
    const next = running ? stop : begin
    next.current?.focus({ preventScroll: true })
  }, [running])

  const press = (next: number | null) => {
    pressed.current = true
    setRun(next)
  }

  if (!running) return <Waiting title={title} button={begin} onRun={() => press(0)} />
  return (
    <>
      <iframe key={run} title={title} sandbox="allow-scripts" src={`/frame/${encodeURIComponent(id)}`} className="widget-stage block w-full bg-well" />
      <footer className="flex min-h-11 items-center gap-1 ps-4 pe-2 text-12 text-faint sm:ps-5">
        <span className="me-2 flex-1">It cannot see this app. It may reach the network.</span>
        <Button variant="quiet" icon={<RotateCcw size={14} />} onClick={() => press(run + 1)}>
          Reset
        </Button>
        <Button ref={stop} variant="quiet" icon={<Square size={13} />} onClick={() => press(null)}>
          Stop
        </Button>
      </footer>
    </>
  )
}

interface WaitingProps {
  title: string
  button: React.RefObject<HTMLButtonElement | null>
  onRun: () => void
}

function Waiting({ title, button, onRun }: WaitingProps) {
  return (
    <div className="interactive-rest widget-stage flex flex-col items-center justify-center-safe overflow-y-auto px-6 py-6 text-center">
      <p dir="auto" className="display line-clamp-3 max-w-(--measure) text-22 text-balance wrap-anywhere">
        {title}
      </p>
      <p className="mt-2 max-w-[26rem] text-13 text-balance text-muted">
        A small page that she wrote, and that nobody has checked. It cannot see this app or your conversations, but it may reach the network while it runs.
      </p>
      <Button ref={button} variant="primary" icon={<Play size={14} />} onClick={onRun} className="mt-5">
        Run it
      </Button>
    </div>
  )
}
