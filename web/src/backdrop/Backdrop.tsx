import './backdrop.css'
import { useEffect, useState } from 'react'
import type { BackgroundList } from '@/api/protocol.gen'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'
import { Sky } from './Sky'
import type { SkyName } from './palettes'

/** The background to show; `key` identifies the choice. */
export type ShownBackground = { key: string } & ({ kind: 'sky'; name: SkyName } | { kind: 'colour'; colour: string } | { kind: 'picture'; url: string })

/**
 * The time after which the old layer is removed, slightly longer than the new one takes to fade in and cover
 * it.
 */
const FADE_MS = 400
const COLOUR = /^#[0-9a-f]{6}$/i

/**
 * Returns the chosen background. An unknown name falls back to the night sky, so that there is always one.
 */
export function shownBackground(list: BackgroundList | null): ShownBackground {
  const current = list?.current ?? ''
  const url = list?.backgrounds.find(({ filename }) => filename === current)?.url
  if (url) return { key: url, kind: 'picture', url }
  if (COLOUR.test(current)) return { key: current, kind: 'colour', colour: current }
  return current === 'dusk' ? { key: 'dusk', kind: 'sky', name: 'dusk' } : { key: 'night', kind: 'sky', name: 'night' }
}

/** The background behind the avatar. It fills its container and ignores the pointer. */
export default function Backdrop({ className = 'absolute inset-0' }: { className?: string }) {
  const list = useStore((state) => state.backgrounds)
  // Nothing is shown until the choice is known, or the night sky would flash briefly.
  const asking = useStore((state) => state.backgrounds === null && state.bodyTrouble === null)
  const wanted = shownBackground(list)
  const [layers, setLayers] = useState<ShownBackground[]>(() => (asking || wanted.kind === 'picture' ? [] : [wanted]))

  useEffect(() => {
    if (asking) return
    let left = false
    const put = (next: ShownBackground) => {
      if (!left) setLayers((before) => (before.at(-1)?.key === next.key ? before : [...before.slice(-1).filter(({ key }) => key !== next.key), next]))
    }
    if (wanted.kind !== 'picture') put(wanted)
    else {
      // The previous background stays until the new picture is fully decoded, which avoids a flash.
      const image = new Image()
      image.src = wanted.url
      image.decode().then(
        () => put(wanted),
        () => put(shownBackground(null)),
      )
    }
    return () => {
      left = true
    }
    // The key fully determines `wanted`.
  }, [wanted.key, asking])

  useEffect(() => {
    if (layers.length < 2) return
    const timer = setTimeout(() => setLayers((all) => all.slice(-1)), FADE_MS)
    return () => clearTimeout(timer)
  }, [layers])

  return (
    <div aria-hidden="true" data-backdrop={wanted.key} className={classNames('backdrop', className)}>
      {layers.map((layer, index) => (
        <div key={layer.key} className={classNames('backdrop-layer', index > 0 && 'animate-[appear_320ms_var(--ease)]')}>
          <Layer layer={layer} />
        </div>
      ))}
    </div>
  )
}

function Layer({ layer }: { layer: ShownBackground }) {
  if (layer.kind === 'sky') return <Sky name={layer.name} />
  if (layer.kind === 'colour') return <div className="size-full" style={{ backgroundColor: layer.colour }} />
  return <img src={layer.url} alt="" className="size-full object-cover" draggable={false} />
}
