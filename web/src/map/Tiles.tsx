import type { Size } from '@/design/size'
import { type MapPosition, worldSize } from './mercator'

const DEEPEST = 18

/** Map tiles from the network, fetched through Perigee. Each covers the drawn map once it has loaded. */
export function Tiles({ view, size }: { view: MapPosition; size: Size }) {
  const zoom = Math.min(DEEPEST, Math.max(0, Math.round(view.zoom)))
  const count = 2 ** zoom
  const side = worldSize(view.zoom) / count
  const first = { x: Math.floor(view.x * count - size.width / 2 / side), y: Math.floor(view.y * count - size.height / 2 / side) }
  const last = { x: Math.floor(view.x * count + size.width / 2 / side), y: Math.floor(view.y * count + size.height / 2 / side) }
  const tiles: { key: string; address: string; left: number; top: number }[] = []
  for (let y = Math.max(0, first.y); y <= Math.min(count - 1, last.y); y += 1) {
    for (let x = first.x; x <= last.x; x += 1) {
      const around = ((x % count) + count) % count
      tiles.push({
        key: `${zoom}/${x}/${y}`,
        address: `/api/map/tiles/${zoom}/${around}/${y}`,
        left: size.width / 2 + (x - view.x * count) * side,
        top: size.height / 2 + (y - view.y * count) * side,
      })
    }
  }
  return (
    <div aria-hidden="true" className="map-tiles absolute inset-0 overflow-hidden">
      {tiles.map(({ key, address, left, top }) => (
        <img
          key={key}
          src={address}
          alt=""
          draggable={false}
          className="absolute max-w-none"
          // Slightly enlarged to avoid seams between the tiles.
          style={{ left: 0, top: 0, width: side + 0.5, height: side + 0.5, transform: `translate(${left}px, ${top}px)` }}
          onError={(event) => (event.currentTarget.style.visibility = 'hidden')}
        />
      ))}
    </div>
  )
}
