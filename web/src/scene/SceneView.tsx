import './scene.css'
import { ImageDown, Pause, Play, RotateCcw } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useCallback, useRef } from 'react'
import { Button } from '@/design/Button'
import { plural } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { useExpanded } from '@/widgets/Frame'
import { useGestures } from '@/widgets/gestures'
import { OmittedCount, OmittedNote } from '@/widgets/parts'
import { colours } from '@/widgets/theme'
import type { Scene } from './read'
import { type LabelSpot, MOST_LABELS, type SceneRenderer } from './renderer'
import { useSceneRenderer } from './useSceneRenderer'

const STEP = 24
const TURNS: Record<string, [number, number]> = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }

interface Props {
  scene: Scene
  title: string
}

/** A 3D scene. A new scene gets a new canvas, because a released WebGL context cannot be reused. */
export default function SceneView({ scene, title }: Props) {
  const drawn = useRef({ scene, number: 0 })
  if (drawn.current.scene !== scene) drawn.current = { scene, number: drawn.current.number + 1 }
  return <Drawn key={drawn.current.number} scene={scene} title={title} />
}

function Drawn({ scene, title }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const tags = useRef<(HTMLSpanElement | null)[]>([])
  const onLabels = useCallback((spots: LabelSpot[]) => follow(tags.current, spots), [])
  const { stage, state, attempt, again, turning, setTurning } = useSceneRenderer(container, canvas, scene, onLabels)
  const named = scene.shapes.shown.flatMap(({ label }) => (label ? [label] : []))
  const labels = named.slice(0, MOST_LABELS)

  const turn = (dx: number, dy: number) => {
    setTurning(false)
    stage.current?.turn(dx, dy)
  }
  useGestures(container, useExpanded(), { onDrag: turn, onZoom: (factor) => stage.current?.zoom(factor) })

  const steer = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const turned = TURNS[event.key]
    if (turned) turn(...turned)
    else if (event.key === '+' || event.key === '=') stage.current?.zoom(1.2)
    else if (event.key === '-' || event.key === '_') stage.current?.zoom(1 / 1.2)
    else if (event.key === '0' || event.key === 'Home') stage.current?.home()
    else if (event.key === ' ') setTurning(!turning)
    else return
    event.preventDefault()
  }

  if (state === 'impossible') return <Impossible scene={scene} />
  return (
    <>
      <div
        ref={container}
        role="application"
        aria-roledescription="3D scene"
        aria-label={`${title}: ${spoken(scene)}. Arrow keys turn it, plus and minus zoom, space starts and stops the turntable.`}
        tabIndex={0}
        onKeyDown={steer}
        className="scene widget-stage relative overflow-hidden"
      >
        {/* A lost WebGL context cannot be restored on the same canvas, so another try gets a new one. */}
        <canvas key={attempt} ref={canvas} aria-hidden="true" className="absolute inset-0 size-full" />
        <Labels labels={labels} tags={tags} />
        {state === 'lost' ? <Lost onAgain={again} /> : <Controls stage={stage} turning={turning} onTurning={setTurning} title={title} labels={labels} />}
      </div>
      <div className="px-4 not-empty:pb-3 sm:px-5">
        <OmittedNote of={scene.shapes} what="shapes" />
        <OmittedCount count={named.length - labels.length} what="names" />
      </div>
    </>
  )
}

function Labels({ labels, tags }: { labels: string[]; tags: RefObject<(HTMLSpanElement | null)[]> }) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 overflow-hidden">
      {labels.map((label, index) => (
        <span
          key={index}
          ref={(tag) => {
            tags.current[index] = tag
          }}
          className="scene-label"
        >
          {label}
        </span>
      ))}
    </div>
  )
}

interface ControlsProps {
  stage: RefObject<SceneRenderer | null>
  turning: boolean
  onTurning: (turning: boolean) => void
  title: string
  labels: string[]
}

function Controls({ stage, turning, onTurning, title, labels }: ControlsProps) {
  return (
    <div className="absolute end-2.5 bottom-2.5 flex overflow-hidden rounded-control bg-raised shadow-lit">
      <IconButton size="small" className="rounded-none" label={turning ? 'Stop rotating' : 'Rotate automatically'} onClick={() => onTurning(!turning)}>
        {turning ? <Pause size={14} /> : <Play size={14} />}
      </IconButton>
      <IconButton size="small" className="rounded-none" label="Reset the view" onClick={() => stage.current?.home()}>
        <RotateCcw size={14} />
      </IconButton>
      <IconButton size="small" className="rounded-none" label="Save a picture" onClick={() => stage.current && void save(stage.current, title, labels)}>
        <ImageDown size={15} />
      </IconButton>
    </div>
  )
}

function spoken({ shapes }: Scene): string {
  const named = shapes.shown.slice(0, 12).map(({ kind, label }) => (label ? `${label} (${kind})` : kind))
  return named.join(', ') + (shapes.shown.length > 12 ? ' and others' : '')
}

/** Moves labels to their shapes; of two that overlap, the later one is hidden. */
function follow(tags: (HTMLSpanElement | null)[], spots: LabelSpot[]): void {
  const full: { x: number; y: number; half: number }[] = []
  spots.forEach((spot, index) => {
    const tag = tags[index]
    if (!tag) return
    const half = tag.offsetWidth / 2 + 4
    const free = spot !== null && !full.some((other) => Math.abs(other.x - spot.x) < half + other.half && Math.abs(other.y - spot.y) < 22)
    tag.style.opacity = free ? (spot.covered ? '0.3' : '1') : '0'
    if (!spot || !free) return
    full.push({ x: spot.x, y: spot.y, half })
    tag.style.transform = `translate(calc(${spot.x.toFixed(1)}px - 50%), calc(${spot.y.toFixed(1)}px - 100% - 6px))`
  })
}

async function save(stage: SceneRenderer, title: string, labels: string[]): Promise<void> {
  const { surface, text } = colours('surface', 'text')
  const picture = await stage.picture(surface, text, labels)
  if (!picture) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(picture)
  link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 60) || 'scene'}.png`
  link.click()
  // The download reads the URL only after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

function Lost({ onAgain }: { onAgain: () => void }) {
  return (
    <div role="alert" className="absolute inset-0 grid place-items-center bg-well p-6 text-center">
      <div>
        <p className="text-muted">The graphics driver stopped drawing this. Nothing else is affected.</p>
        <Button className="mt-4" onClick={onAgain}>
          Draw it again
        </Button>
      </div>
    </div>
  )
}

/** The replacement without WebGL: a description of the scene. */
function Impossible({ scene }: { scene: Scene }) {
  return (
    <div role="note" className="px-4 pt-1 pb-4 sm:px-5">
      <p className="text-muted">This browser does not support WebGL, so the scene cannot be shown here. It has {plural(scene.shapes.shown.length, 'shape')}:</p>
      <p className="mt-1 text-13 text-faint">{spoken(scene)}</p>
    </div>
  )
}
