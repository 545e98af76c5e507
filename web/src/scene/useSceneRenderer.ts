import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { isStill } from '@/design/media'
import { useTheme } from '@/widgets/theme'
import type { Scene } from './read'
import { type LabelSpot, SceneRenderer } from './renderer'

/** `lost`: the graphics driver dropped the WebGL context. `impossible`: WebGL is not available. */
type State = 'drawn' | 'lost' | 'impossible'

interface RendererState {
  stage: RefObject<SceneRenderer | null>
  state: State
  /** Counts the attempts, each of which gets a new canvas. */
  attempt: number
  again: () => void
  turning: boolean
  setTurning: (turning: boolean) => void
}

/** Draws the scene on the canvas for as long as both are mounted. */
export function useSceneRenderer(container: RefObject<HTMLElement | null>, canvas: RefObject<HTMLCanvasElement | null>, scene: Scene, onLabels: (spots: LabelSpot[]) => void): RendererState {
  const stage = useRef<SceneRenderer | null>(null)
  const theme = useTheme()
  const [state, setState] = useState<State>('drawn')
  const [attempt, setAttempt] = useState(0)
  const [turning, setTurning] = useState(() => scene.turntable && !isStill())

  useEffect(() => {
    const element = container.current
    if (!element || !canvas.current) return
    const opened = SceneRenderer.open(canvas.current, scene, { onLabels, onLost: () => setState('lost') })
    if (!opened) {
      setState('impossible')
      return
    }
    stage.current = opened
    setState('drawn')
    const unwatch = watch(element, opened)
    return () => {
      unwatch()
      stage.current = null
      opened.dispose()
    }
  }, [container, canvas, scene, attempt, onLabels])

  useEffect(() => stage.current?.setTheme(theme), [theme, scene, attempt])
  useEffect(() => stage.current?.setTurning(turning), [turning, scene, attempt])

  const again = useCallback(() => setAttempt((before) => before + 1), [])
  return { stage, state, attempt, again, turning, setTurning }
}

/** Follows the size of the element, and pauses while it is out of sight. */
function watch(element: HTMLElement, stage: SceneRenderer): () => void {
  const measure = () => stage.setSize(element.clientWidth, element.clientHeight)
  measure()
  let near = true
  const look = () => stage.setSeen(near && !document.hidden)
  const sized = new ResizeObserver(measure)
  const watched = new IntersectionObserver(([entry]) => {
    near = entry?.isIntersecting ?? true
    look()
  })
  sized.observe(element)
  watched.observe(element)
  document.addEventListener('visibilitychange', look)
  return () => {
    sized.disconnect()
    watched.disconnect()
    document.removeEventListener('visibilitychange', look)
  }
}
