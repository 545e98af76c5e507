import './backdrop.css'
import { useEffect, useState } from 'react'
import type { BackgroundList } from '@/api/protocol.gen'
import { join } from '@/design/join'
import { useStore } from '@/store'
import { Sky } from './Sky'
import type { SkyName } from './palettes'

/** What is to be seen, with the name under which it was chosen. */
export type Shown = { key: string } & ({ kind: 'sky'; name: SkyName } | { kind: 'colour'; colour: string } | { kind: 'picture'; url: string })

/** A little longer than the new one takes to appear: then nothing of the old one is seen. */
const FADE_MS = 400
const COLOUR = /^#[0-9a-f]{6}$/i

/** A name that nobody knows is the night: there is always something behind her. */
export function shownOf(list: BackgroundList | null): Shown {
  const current = list?.current ?? ''
  const url = list?.backgrounds.find(({ filename }) => filename === current)?.url
  if (url) return { key: url, kind: 'picture', url }
  if (COLOUR.test(current)) return { key: current, kind: 'colour', colour: current }
  return current === 'dusk' ? { key: 'dusk', kind: 'sky', name: 'dusk' } : { key: 'night', kind: 'sky', name: 'night' }
}

/** What stands behind her. It fills its place, and is not for the hand. */
export default function Backdrop({ className = 'absolute inset-0' }: { className?: string }) {
  const list = useStore((state) => state.backgrounds)
  // Until it is known what stands there, nothing does: the night would only flash by.
  const asking = useStore((state) => state.backgrounds === null && state.bodyTrouble === null)
  const wanted = shownOf(list)
  const [layers, setLayers] = useState<Shown[]>(() => (asking || wanted.kind === 'picture' ? [] : [wanted]))

  useEffect(() => {
    if (asking) return
    let left = false
    const put = (next: Shown) => {
      if (!left) setLayers((before) => (before.at(-1)?.key === next.key ? before : [...before.slice(-1).filter(({ key }) => key !== next.key), next]))
    }
    if (wanted.kind !== 'picture') put(wanted)
    else {
      // A picture that is still on its way would flash: what was there stays until it can be drawn whole.
      const image = new Image()
      image.src = wanted.url
      image.decode().then(
        () => put(wanted),
        () => put(shownOf(null)),
      )
    }
    return () => {
      left = true
    }
    // The key says all of what is wanted.
  }, [wanted.key, asking])

  useEffect(() => {
    if (layers.length < 2) return
    const timer = setTimeout(() => setLayers((all) => all.slice(-1)), FADE_MS)
    return () => clearTimeout(timer)
  }, [layers])

  return (
    <div aria-hidden="true" data-backdrop={wanted.key} className={join('backdrop', className)}>
      {layers.map((layer, index) => (
        <div key={layer.key} className={join('backdrop-layer', index > 0 && 'animate-[appear_320ms_var(--ease)]')}>
          <Layer layer={layer} />
        </div>
      ))}
    </div>
  )
}

function Layer({ layer }: { layer: Shown }) {
  if (layer.kind === 'sky') return <Sky name={layer.name} />
  if (layer.kind === 'colour') return <div className="size-full" style={{ backgroundColor: layer.colour }} />
  return <img src={layer.url} alt="" className="size-full object-cover" draggable={false} />
}
