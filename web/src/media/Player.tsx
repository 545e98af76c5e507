import './media.css'
import { Disc3, Pause, Play, RefreshCw, SkipBack, SkipForward, Volume1, Volume2, VolumeX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import type { CommandProps } from '@/widgets/command'
import { clock } from './clock'
import type { Playback as Playing, PlaybackTrouble } from './read'

interface Props {
  playback: Playing | PlaybackTrouble
  onRun: CommandProps['onRun'] | undefined
}

/** Returns true if the call was made; it is not while another one runs. */
type Act = (args: Record<string, unknown>) => boolean

/**
 * The current track and its controls. Each button calls the tool and is subject to the same permissions as
 * any call.
 */
export function Player({ playback, onRun }: Props) {
  const [busy, setBusy] = useState(false)
  const act: Act = (args) => {
    if (!onRun || busy) return false
    setBusy(true)
    void onRun('spotify', args).finally(() => setBusy(false))
    return true
  }

  if (playback.kind === 'playerTrouble') {
    return (
      <div className="flex items-center gap-3" aria-busy={busy}>
        <p role="status" className="min-w-0 flex-1 text-muted wrap-anywhere">
          {playback.trouble}
        </p>
        {onRun && (
          <PlayerButton label="Check again" busy={busy} onClick={() => act({ action: 'status' })}>
            <RefreshCw size={16} />
          </PlayerButton>
        )}
      </div>
    )
  }
  return <Track state={playback} busy={busy} onAct={onRun ? act : null} />
}

interface TrackProps {
  state: Playing
  busy: boolean
  onAct: Act | null
}

function Track({ state, busy, onAct }: TrackProps) {
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-5 gap-y-1" aria-busy={busy}>
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
        {state.positionMs !== null && state.durationMs !== null && state.durationMs > 0 && (
          <Position ms={Math.min(state.positionMs, state.durationMs)} of={state.durationMs} />
        )}
        {onAct && <Controls state={state} busy={busy} onAct={onAct} />}
        <p className="mt-1 text-12 text-faint">{[!state.playing && state.title && 'Paused', state.device || state.player].filter(Boolean).join(' · ')}</p>
      </div>
    </div>
  )
}

function Controls({ state, busy, onAct }: TrackProps & { onAct: Act }) {
  return (
    <div className="-ms-1.5 mt-2 flex items-center gap-1">
      <PlayerButton label="Previous" busy={busy} onClick={() => onAct({ action: 'previous' })}>
        <SkipBack size={17} />
      </PlayerButton>
      <PlayerButton
        label={state.playing ? 'Pause' : 'Play'}
        busy={busy}
        className="bg-raised text-text shadow-lit hover:bg-raised"
        onClick={() => onAct({ action: state.playing ? 'pause' : 'play' })}
      >
        {state.playing ? <Pause size={17} /> : <Play size={17} />}
      </PlayerButton>
      <PlayerButton label="Next" busy={busy} onClick={() => onAct({ action: 'next' })}>
        <SkipForward size={17} />
      </PlayerButton>
      {state.volume !== null && <Volume value={state.volume} busy={busy} onSet={(volume) => onAct({ action: 'volume', volume })} />}
      <PlayerButton label="Check what is playing" busy={busy} className="ms-auto" onClick={() => onAct({ action: 'status' })}>
        <RefreshCw size={15} />
      </PlayerButton>
    </div>
  )
}

/**
 * A button that is only marked as disabled while a call runs, so that it keeps the focus: a disabled one
 * would lose it.
 */
function PlayerButton({ busy, className = '', ...rest }: React.ComponentProps<typeof IconButton> & { busy: boolean }) {
  return <IconButton aria-disabled={busy} className={classNames('aria-disabled:opacity-50', className)} {...rest} />
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

/**
 * The volume slider. It reports the value on release rather than at every step, and not before the running
 * call has ended.
 */
function Volume({ value, busy, onSet }: { value: number; busy: boolean; onSet: (value: number) => boolean }) {
  const [shown, setShown] = useState(value)
  const sent = useRef(value)
  useEffect(() => {
    setShown(value)
    sent.current = value
  }, [value])
  const send = () => {
    if (sent.current !== shown && onSet(shown)) sent.current = shown
  }
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })
  useEffect(() => {
    if (!busy) latest.current()
  }, [busy])
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
