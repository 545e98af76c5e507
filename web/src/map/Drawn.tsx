import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Size } from '@/design/size'
import { colours, useTheme } from '@/widgets/theme'
import { useFonts } from '@/widgets/useFonts'
import { type Atlas, type Detail, loadAtlas } from './atlas'
import { drawContent, drawCountries, drawWorld, type MapColours, type Mark } from './draw'
import type { MapPosition } from './mercator'
import { Tiles } from './Tiles'

/** The zoom above which the coarse coast shows its corners. */
const FINE_FROM = 3

interface DrawnProps {
  view: MapPosition
  size: Size
  marks: Mark[]
  route: { x: number; y: number }[]
  chosen: number | null
  online: boolean
}

/** The layers of the map: the world, the tiles if they may be fetched, and the content on top. */
export function Drawn({ view, size, marks, route, chosen, online }: DrawnProps) {
  const world = useRef<HTMLCanvasElement>(null)
  const content = useRef<HTMLCanvasElement>(null)
  const theme = useTheme()
  const fonts = useFonts()
  const inks = useMemo(readInks, [theme])
  const atlas = useAtlas(view.zoom > FINE_FROM ? 'fine' : 'coarse')

  useLayoutEffect(() => {
    const below = context(world.current, size)
    const above = context(content.current, size)
    if (below) drawWorld(below, view, size, atlas, inks)
    if (!above) return
    above.clearRect(0, 0, size.width, size.height)
    const taken = drawContent(above, view, size, route, marks, chosen, inks)
    if (atlas && !online) drawCountries(above, view, size, atlas.countries, taken, inks)
  }, [view, size, atlas, inks, route, marks, chosen, online, fonts])

  return (
    <>
      <canvas ref={world} aria-hidden="true" className="absolute inset-0 size-full" />
      {online && <Tiles view={view} size={size} />}
      <canvas ref={content} aria-hidden="true" className="absolute inset-0 size-full" />
    </>
  )
}

function readInks(): MapColours {
  const found = colours('map-sea', 'map-land', 'map-coast', 'map-border', 'map-country', 'map-mark', 'map-route', 'text')
  return {
    sea: found['map-sea'], land: found['map-land'], coast: found['map-coast'], border: found['map-border'], country: found['map-country'],
    accent: found['map-mark'], route: found['map-route'], text: found.text,
  }
}

/** Returns the best atlas that is loaded: the coarse one stays until the fine one arrives. */
function useAtlas(detail: Detail): Atlas | null {
  const [atlases, setAtlases] = useState<Partial<Record<Detail, Atlas>>>({})
  useEffect(() => {
    let gone = false
    loadAtlas(detail).then(
      (atlas) => {
        if (!gone) setAtlases((before) => ({ ...before, [detail]: atlas }))
      },
      () => {},
    )
    return () => {
      gone = true
    }
  }, [detail])
  return atlases[detail] ?? atlases.coarse ?? atlases.fine ?? null
}

/** Returns a context that draws at the pixel density of the screen, up to a factor of 3. */
function context(canvas: HTMLCanvasElement | null, size: Size): CanvasRenderingContext2D | null {
  if (!canvas) return null
  const sharp = Math.min(3, devicePixelRatio || 1)
  const width = Math.round(size.width * sharp)
  const height = Math.round(size.height * sharp)
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width
    canvas.height = height
  }
  const ctx = canvas.getContext('2d')
  ctx?.setTransform(sharp, 0, 0, sharp, 0, 0)
  return ctx
}
