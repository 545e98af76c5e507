import { fields, list, number, pick, type Problem, type PartialList, partialList, textOf } from '@/widgets/lenient'

export interface Place {
  lat: number
  lon: number
}

export interface Marker extends Place {
  label: string
}

export interface Mapped {
  kind: 'map'
  centre: Place
  /** The zoom level; null fits everything into view. */
  zoom: number | null
  markers: PartialList<Marker>
  route: PartialList<Place>
}

const MOST_MARKERS = 200
const MOST_ROUTE = 5000

export function readMap(payload: unknown): Mapped | Problem {
  const from = fields(payload)
  const markers = partialList(list(pick(from, 'markers', 'places', 'points')), MOST_MARKERS, (value) => {
    const at = place(value)
    return at && { ...at, label: textOf(pick(fields(value), 'label', 'name', 'title'), 80) }
  })
  const route = partialList(list(pick(from, 'route', 'path')), MOST_ROUTE, place)
  const given = place(from)
  const first = given ?? markers.shown[0] ?? route.shown[0]
  if (!first) return { problem: 'It has no location: latitude and longitude are missing or invalid.' }
  const alone = markers.shown.length === 0 && route.shown.length === 0
  return {
    kind: 'map',
    centre: { lat: first.lat, lon: first.lon },
    zoom: given ? clampedZoom(number(pick(from, 'zoom'))) : null,
    // A place without markers becomes the marker itself.
    markers: alone ? { shown: [{ ...first, label: textOf(pick(from, 'label', 'place', 'name'), 80) }], more: 0, unread: markers.unread } : markers,
    // A single point is not a route.
    route: { ...route, shown: route.shown.length > 1 ? route.shown : [] },
  }
}

function clampedZoom(zoom: number | null): number | null {
  return zoom === null ? null : Math.min(18, Math.max(0, zoom))
}

/** Reads `[lat, lon]` or `{lat, lon}`; longitudes beyond 180° are wrapped. */
function place(value: unknown): Place | null {
  const from = fields(value)
  const lat = number(Array.isArray(value) ? value[0] : pick(from, 'lat', 'latitude'))
  const lon = number(Array.isArray(value) ? value[1] : pick(from, 'lon', 'lng', 'long', 'longitude'))
  if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 540) return null
  return { lat, lon: lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon }
}
