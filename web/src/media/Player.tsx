import { Disc3, Pause, Play, RefreshCw, SkipBack, SkipForward, Volume1, Volume2, VolumeX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '@/design/IconButton'
import type { CommandProps } from '@/widgets/CommandView'
import { isProblem } from '@/widgets/lenient'
import { clock, isOver, positionAt, useSeconds } from './clock'
import { type Player as Playing, type PlayerTrouble, readPlayer } from './read'

interface Props {
  told: Playing | PlayerTrouble
  onRun: CommandProps['onRun'] | undefined
}

/** What plays, and the buttons for it. Each button is a call of the tool, and passes the gate like any other. */
export function Player({ told, onRun }: Props) {
  const [heard, setHeard] = useState<Playing | PlayerTrouble | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => setHeard(null), [told])

  const act = (args: Record<string, unknown>) => {
    if (!onRun || busy) return
    setBusy(true)
    const answer: unknown = onRun('spotify', args)
    Promise.resolve(answer)
      .then(
        (payload) => {
          const read = readPlayer(payload)
          if (!isProblem(read)) setHeard(read)
        },
        (error: unknown) => setHeard({ kind: 'playerTrouble', trouble: error instanceof Error && error.message ? error.message : 'The player did not answer.' }),
      )
      .finally(() => setBusy(false))
  }

  const state = heard ?? told
  if (state.kind === 'playerTrouble') {
    return (
      <div className="flex items-center gap-3">
        <p role="status" className="min-w-0 flex-1 text-muted wrap-anywhere">
          {state.trouble}
        </p>
        {onRun && (
          <IconButton label="Ask again" disabled={busy} onClick={() => act({ action: 'status' })}>
            <RefreshCw size={16} />
          </IconButton>
        )}
      </div>
    )
  }
  return <Track state={state} enabled={onRun !== undefined} onAct={act} />
}

interface TrackProps {
  state: Playing
  enabled: boolean
  onAct: (args: Record<string, unknown>) => void
}

function Track({ state, enabled, onAct }: TrackProps) {
  const now = useSeconds(state.playing && state.at !== null)
  const over = isOver(state, now)
  const playing = state.playing && !over
  const position = positionAt(state, now)
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-5 gap-y-1">
      <Cover picture={state.cover} />
      <div className="self-end @max-md:self-center">
        <p dir="auto" className="truncate text-17 font-medium" title={state.title}>
          {state.title || 'Nothing is playing'}
        </p>
        <p dir="auto" className="truncate text-13 text-muted">
          {[state.artist, state.album].filter(Boolean).join(' · ') || (state.title ? 'Unknown artist' : 'Ask for a song.')}
        </p>
      </div>
      <div className="self-start @max-md:col-span-2 @max-md:mt-2">
        {position !== null && state.durationMs !== null && state.durationMs > 0 && <Position ms={position} of={state.durationMs} />}
        {enabled && (
          <div className="-ms-1.5 mt-2 flex items-center gap-1">
            <IconButton label="Previous" onClick={() => onAct({ action: 'previous' })}>
              <SkipBack size={17} />
            </IconButton>
            <IconButton
              label={playing ? 'Pause' : 'Play'}
              className="bg-raised text-text shadow-lit hover:bg-raised"
              onClick={() => onAct({ action: playing ? 'pause' : 'play' })}
            >
              {playing ? <Pause size={17} /> : <Play size={17} />}
            </IconButton>
            <IconButton label="Next" onClick={() => onAct({ action: 'next' })}>
              <SkipForward size={17} />
            </IconButton>
            {state.volume !== null && <Volume value={state.volume} onSet={(volume) => onAct({ action: 'volume', volume })} />}
            <IconButton label="Ask what plays" className="ms-auto" onClick={() => onAct({ action: 'status' })}>
              <RefreshCw size={15} />
            </IconButton>
          </div>
        )}
        <p className="mt-1 text-12 text-faint">
          {[over ? 'This track is over by now' : state.playing ? '' : state.title && 'Paused', state.device || state.player].filter(Boolean).join(' · ')}
        </p>
      </div>
    </div>
  )
}

function Cover({ picture }: { picture: string | null }) {
  if (picture) return <img src={picture} alt="" className="size-18 rounded-card object-cover @md:row-span-2 @md:size-28" />
  return (
    <div aria-hidden="true" className="cover grid size-18 shrink-0 place-items-center rounded-card @md:row-span-2 @md:size-28">
      <Disc3 size={36} />
    </div>
  )
}

function Position({ ms, of }: { ms: number; of: number }) {
  return (
    <div className="mt-1.5 flex items-center gap-2.5 text-12 text-faint tabular-nums">
      <span>{clock(ms)}</span>
      <div className="h-1 flex-1 overflow-hidden rounded-full bg-[color-mix(in_oklab,var(--text)_12%,transparent)]">
        <div className="h-full rounded-full bg-accent" style={{ width: `${(ms / of) * 100}%` }} />
      </div>
      <span>{clock(of)}</span>
    </div>
  )
}

/** Told when it is let go, not at every step on the way. */
function Volume({ value, onSet }: { value: number; onSet: (value: number) => void }) {
  const [shown, setShown] = useState(value)
  const sent = useRef(value)
  useEffect(() => {
    setShown(value)
    sent.current = value
  }, [value])
  const send = () => {
    if (sent.current === shown) return
    sent.current = shown
    onSet(shown)
  }
  const Icon = shown === 0 ? VolumeX : shown < 50 ? Volume1 : Volume2
  return (
    <label className="ms-2 flex items-center gap-2 text-muted">
      <Icon size={16} aria-hidden="true" />
      <input
        type="range"
        min={0}
        max={100}
        step={5}
        aria-label="Volume"
        value={shown}
        onChange={(event) => setShown(Number(event.target.value))}
        onPointerUp={send}
        onKeyUp={send}
        onBlur={send}
        className="slider w-20"
        style={{ ['--part' as string]: `${shown}%` }}
      />
    </label>
  )
}
