import { type RefObject, useEffect, useRef, useState } from 'react'
import { errorText } from '@/api/http'
import type { BodyReport } from '@/api/protocol.gen'
import { onCue } from '@/body/cues'
import { useMedia } from '@/design/media'
import { useStore } from '@/store'
import { useTheme } from '@/widgets/theme'
import { bytesOf } from './bytes'
import type { Framing } from './framing'
import { AvatarController } from './controller'
import { answerProbe } from './probe'

/** `lost`: the graphics driver dropped the WebGL context. `impossible`: WebGL is not available. */
export type AvatarStatus =
  | { is: 'loading'; part: number | null }
  | { is: 'shown' }
  | { is: 'failed'; reason: string }
  | { is: 'lost' }
  | { is: 'impossible' }

interface AvatarView {
  shown: AvatarStatus
  /** A one-word description of the avatar's state; empty if there is nothing to mention. */
  description: string
  again: () => void
}

/** The time within which a driver usually restores a lost context. */
const LOST_MS = 3000
const ABOUT = 'body'

/** Shows the avatar in this element for as long as it is mounted. */
export function useAvatar(container: RefObject<HTMLElement | null>, framing: Framing): AvatarView {
  const body = useStore((state) => state.body)
  const trouble = useStore((state) => state.bodyTrouble)
  const refreshBody = useStore((state) => state.refreshBody)
  const [shown, setShown] = useState<AvatarStatus>({ is: 'loading', part: null })
  const [description, setDescription] = useState('')
  const [attempt, setAttempt] = useState(0)
  const [presence, setPresence] = useState<AvatarController | null>(null)

  useEffect(() => {
    void refreshBody()
    const { personality, refreshPersonality } = useStore.getState()
    if (personality === null) void refreshPersonality()
  }, [refreshBody, attempt])

  useEffect(() => {
    const element = container.current
    if (!element) return
    const canvas = document.createElement('canvas')
    canvas.setAttribute('aria-hidden', 'true')
    canvas.className = 'absolute inset-0 size-full'
    const opened = AvatarController.open(canvas, Math.random, {
      onDescription: setDescription,
      onUnknown: (name) => notify('plain', `She has no animation called “${name}”.`),
      onBroken: (name, reason) => notify('danger', `The animation “${name}” cannot be used: ${reason}.`),
      onQuality: (name) => useStore.getState().setDrawnQuality(name),
    })
    if (!opened) {
      setShown({ is: 'impossible' })
      return
    }
    element.prepend(canvas)
    setShown({ is: 'loading', part: null })
    setPresence(opened)
    const unprobe = answerProbe(canvas, opened)
    const unwatch = watch(element, canvas, opened, (lost) => setShown(lost ? { is: 'lost' } : { is: 'shown' }))
    const unfeel = follow(opened)
    return () => {
      unfeel()
      unwatch()
      unprobe()
      setPresence(null)
      opened.dispose()
      useStore.getState().setDrawnQuality(null)
      canvas.remove()
    }
  }, [container, attempt])

  useBody(presence, body, setShown)
  useAppState(presence, framing)

  const failed: AvatarStatus | null = !body && trouble ? { is: 'failed', reason: trouble } : null
  return { shown: shown.is === 'impossible' || shown.is === 'lost' ? shown : (failed ?? shown), description, again: () => setAttempt((before) => before + 1) }
}

/**
 * Loads the chosen body. If it cannot be read, the user is told, and the avatar keeps its current body or
 * falls back to the built-in one.
 */
function useBody(presence: AvatarController | null, body: BodyReport | null, setShown: (shown: AvatarStatus) => void): void {
  const worn = useRef<{ presence: AvatarController; url: string } | null>(null)
  const url = body?.url
  const own = body?.palettes.find(({ name }) => name === body.palette)?.url
  useEffect(() => {
    if (!presence || url === undefined || (worn.current?.presence === presence && worn.current.url === url)) return
    worn.current = { presence, url }
    const current = () => worn.current?.presence === presence && worn.current.url === url
    const put = async (from: string) => {
      const bytes = await bytesOf(from, (part) => current() && !presence.body && setShown({ is: 'loading', part }))
      if (!current()) return
      await presence.showBody(bytes)
      if (current()) setShown({ is: 'shown' })
    }
    const run = async () => {
      try {
        await put(url)
      } catch (error) {
        if (!current()) return
        const kept = presence.body !== null || (own !== undefined && own !== url)
        if (!kept) return setShown({ is: 'failed', reason: errorText(error) })
        notify('danger', `This avatar cannot be used. ${errorText(error)} ${presence.body ? 'She keeps the one she has.' : 'She uses the built-in one.'}`)
        if (!presence.body && own) await put(own).catch((reason: unknown) => current() && setShown({ is: 'failed', reason: errorText(reason) }))
      }
    }
    void run()
  }, [presence, url, own, setShown])
}

/** Passes changes in the store on to the presence. */
function useAppState(presence: AvatarController | null, framing: Framing): void {
  const theme = useTheme()
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const animations = useStore((state) => state.animations)
  const state = useStore(({ avatarState }) => avatarState)
  const mood = useStore(({ personality }) => personality?.traits.find(({ dimension }) => dimension === 'mood')?.value ?? 0.5)
  const energy = useStore(({ personality }) => personality?.traits.find(({ dimension }) => dimension === 'energy')?.value ?? 0.5)
  const quality = useStore((state) => state.quality)
  useEffect(() => presence?.setQuality(quality), [presence, quality])
  useEffect(() => presence?.setStill(still), [presence, still])
  useEffect(() => presence?.setTheme(theme), [presence, theme])
  useEffect(() => presence?.setFraming(framing), [presence, framing])
  useEffect(() => presence?.setAnimations(animations), [presence, animations])
  useEffect(() => presence?.setState(state), [presence, state])
  useEffect(() => presence?.setTraits(mood, energy), [presence, mood, energy])
}

/** Passes page events on to the presence: pointer, keys, input and cues. */
function follow(presence: AvatarController): () => void {
  const point = ({ clientX, clientY }: PointerEvent) => presence.setPointer(clientX, clientY)
  const wake = () => presence.wake()
  const listen = () => presence.listen()
  const uncue = onCue((cue) => presence.cue(cue))
  window.addEventListener('pointermove', point, { passive: true })
  window.addEventListener('pointerdown', point, { passive: true })
  window.addEventListener('keydown', wake)
  document.addEventListener('input', listen)
  return () => {
    uncue()
    window.removeEventListener('pointermove', point)
    window.removeEventListener('pointerdown', point)
    window.removeEventListener('keydown', wake)
    document.removeEventListener('input', listen)
  }
}

/** Follows the size of the element, and pauses while it is out of sight or the WebGL context is lost. */
function watch(element: HTMLElement, canvas: HTMLCanvasElement, presence: AvatarController, onLost: (lost: boolean) => void): () => void {
  let near = true
  let lost = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const update = () => presence.setSeen(near && !lost && !document.hidden)
  const measure = () => presence.setSize(element.clientWidth, element.clientHeight)
  const loses = (event: Event) => {
    event.preventDefault()
    lost = true
    timer = setTimeout(() => onLost(true), LOST_MS)
    update()
  }
  const restores = () => {
    lost = false
    clearTimeout(timer)
    if (presence.body) onLost(false)
    update()
  }
  const sized = new ResizeObserver(measure)
  const watched = new IntersectionObserver(([entry]) => {
    near = entry?.isIntersecting ?? true
    update()
  })
  measure()
  update()
  sized.observe(element)
  watched.observe(element)
  document.addEventListener('visibilitychange', update)
  canvas.addEventListener('webglcontextlost', loses)
  canvas.addEventListener('webglcontextrestored', restores)
  return () => {
    clearTimeout(timer)
    sized.disconnect()
    watched.disconnect()
    document.removeEventListener('visibilitychange', update)
    canvas.removeEventListener('webglcontextlost', loses)
    canvas.removeEventListener('webglcontextrestored', restores)
  }
}

function notify(tone: 'plain' | 'danger', text: string): void {
  const { withdraw, notify } = useStore.getState()
  withdraw(ABOUT)
  notify({ tone, text, about: ABOUT })
}
