import { fields, link, list, number, pick, type Problem, siteOf, type PartialList, partialList, TEXT, textOf, yes } from '@/widgets/lenient'

export interface Source {
  title: string
  /** The address, or null if it may not be opened. */
  url: string | null
  site: string
  text: string
  age: string
}

function source(value: unknown): Source | null {
  const from = fields(value)
  const url = link(from ? pick(from, 'url', 'link') : value)
  const site = textOf(pick(from, 'site'), 80) || siteOf(url)
  const title = textOf(pick(from, 'title', 'name'))
  if (!url && title === '') return null
  return { title: title || site, url, site, text: textOf(pick(from, 'text', 'snippet', 'description'), 1200), age: textOf(pick(from, 'age', 'date'), 40) }
}

const UNREADABLE: Source = { title: 'A source that cannot be read', url: null, site: '', text: '', age: '' }

export interface WebSearchResults {
  kind: 'search'
  query: string
  results: PartialList<Source>
}

export function readSearch(payload: unknown): WebSearchResults | Problem {
  const from = fields(payload)
  if (!from) return { problem: 'It has no results.' }
  // An empty list of results is valid and is shown as such.
  return { kind: 'search', query: textOf(pick(from, 'query', 'q')), results: partialList(list(pick(from, 'results', 'items')), 50, source) }
}

export interface Fetched {
  kind: 'page'
  page: Source
}

export function readFetched(payload: unknown): Fetched | Problem {
  const page = source(payload)
  return page ? { kind: 'page', page } : { problem: 'It has no address.' }
}

export interface Research {
  kind: 'research'
  question: string
  summary: string
  sources: PartialList<Source>
}

export function readResearch(payload: unknown): Research | Problem {
  const from = fields(payload)
  const summary = textOf(pick(from, 'summary', 'text', 'answer'), TEXT * 3)
  // Marks in the text refer to sources by number, so unreadable ones keep their place.
  const sources = partialList(list(pick(from, 'sources')), 60, (value) => source(value) ?? UNREADABLE)
  if (summary === '' && sources.shown.length === 0) return { problem: 'It has neither a summary nor sources.' }
  return { kind: 'research', question: textOf(pick(from, 'question', 'query')), summary, sources }
}

/** The weather conditions that the icons distinguish. */
export type Sky = 'clear' | 'fair' | 'cloud' | 'fog' | 'drizzle' | 'rain' | 'snow' | 'hail' | 'storm'

export interface Day {
  name: string
  date: string
  min: number
  max: number
  sky: Sky
  words: string
  /** The probability of rain in per cent. */
  rain: number | null
}

export interface Weather {
  kind: 'weather'
  place: string
  unit: 'c' | 'f'
  now: { temperature: number; feelsLike: number | null; sky: Sky; words: string; wind: number | null; humidity: number | null }
  days: PartialList<Day>
}

/** Maps a weather code of the World Meteorological Organization. */
export function skyOf(code: number | null): Sky {
  if (code === null || code === 3) return 'cloud'
  if (code <= 1) return 'clear'
  if (code === 2) return 'fair'
  if (code >= 95) return code >= 96 ? 'hail' : 'storm'
  if (code === 45 || code === 48) return 'fog'
  if (code >= 51 && code <= 57) return 'drizzle'
  if ((code >= 71 && code <= 77) || code === 85 || code === 86) return 'snow'
  return (code >= 61 && code <= 67) || (code >= 80 && code <= 82) ? 'rain' : 'cloud'
}

function degrees(value: unknown): number | null {
  const read = number(value)
  return read !== null && Math.abs(read) < 200 ? Math.round(read) : null
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' })

function dayNamed(date: string): string {
  const at = /^\d{4}-\d{2}-\d{2}/.test(date) ? new Date(`${date.slice(0, 10)}T12:00:00Z`) : null
  return at && !Number.isNaN(at.getTime()) ? weekday.format(at) : date
}

export function readWeather(payload: unknown): Weather | Problem {
  const from = fields(payload)
  const current = fields(pick(from, 'current', 'now'))
  const temperature = degrees(pick(current, 'temperature', 'temp'))
  if (!from || !current || temperature === null) return { problem: 'It has no temperature.' }
  const days = partialList(list(pick(from, 'days', 'daily')), 14, (value) => {
    const day = fields(value)
    const min = degrees(pick(day, 'min'))
    const max = degrees(pick(day, 'max'))
    const date = textOf(pick(day, 'date', 'day'), 40)
    if (!day || min === null || max === null) return null
    const code = number(pick(day, 'code'))
    const low = Math.min(min, max)
    return { name: dayNamed(date), date, min: low, max: Math.max(min, max), sky: skyOf(code), words: textOf(pick(day, 'words'), 60), rain: number(pick(day, 'rain')) }
  })
  return {
    kind: 'weather',
    place: textOf(pick(from, 'place', 'city', 'location')),
    unit: textOf(pick(from, 'unit'), 10).toLowerCase().startsWith('f') ? 'f' : 'c',
    now: {
      temperature,
      feelsLike: degrees(pick(current, 'feelsLike', 'feels_like')),
      sky: skyOf(number(pick(current, 'code'))),
      words: textOf(pick(current, 'words', 'description'), 60),
      wind: number(pick(current, 'wind')),
      humidity: number(pick(current, 'humidity')),
    },
    days,
  }
}

export interface Playback {
  kind: 'player'
  player: string
  playing: boolean
  title: string
  artist: string
  album: string
  /** A picture included in the payload; pictures from elsewhere are not fetched. */
  cover: string | null
  positionMs: number | null
  durationMs: number | null
  volume: number | null
  device: string
}

export interface PlaybackTrouble {
  kind: 'playerTrouble'
  trouble: string
}

function within(value: unknown, most: number): number | null {
  const read = number(value)
  return read === null ? null : Math.min(most, Math.max(0, read))
}

const A_DAY_MS = 86_400_000

export function readPlayer(payload: unknown): Playback | PlaybackTrouble | Problem {
  const from = fields(payload)
  const trouble = textOf(pick(from, 'trouble'))
  if (trouble) return { kind: 'playerTrouble', trouble }
  const state = fields(pick(from, 'state'))
  const title = textOf(pick(state, 'title'))
  if (!state) return { problem: 'It does not say what is playing.' }
  const cover = pick(state, 'coverUrl')
  return {
    kind: 'player',
    player: textOf(pick(state, 'player'), 40),
    playing: yes(pick(state, 'playing')),
    title,
    artist: textOf(pick(state, 'artist')),
    album: textOf(pick(state, 'album')),
    cover: typeof cover === 'string' && cover.length < 2_000_000 && /^data:image\/(?:png|jpeg|webp|gif);base64,[\w+/=]+$/.test(cover) ? cover : null,
    positionMs: within(pick(state, 'positionMs'), A_DAY_MS),
    durationMs: within(pick(state, 'durationMs'), A_DAY_MS),
    volume: within(pick(state, 'volume'), 100),
    device: textOf(pick(state, 'device'), 80),
  }
}

export interface DesktopNotice {
  kind: 'notice'
  text: string
}

export function readNotice(payload: unknown): DesktopNotice | Problem {
  const text = textOf(pick(fields(payload), 'text', 'body', 'message'), 2000)
  const title = textOf(pick(fields(payload), 'title'))
  return text || title ? { kind: 'notice', text } : { problem: 'It has no text.' }
}

export interface Opened {
  kind: 'opened'
  target: string
  what: 'app' | 'url'
  opened: boolean
  url: string | null
}

export function readOpened(payload: unknown): Opened | Problem {
  const from = fields(payload)
  const target = textOf(pick(from, 'target', 'name', 'url'))
  if (target === '') return { problem: 'It does not say what to open.' }
  const what = textOf(pick(from, 'kind'), 10) === 'app' ? 'app' : 'url'
  return { kind: 'opened', target, what, opened: yes(pick(from, 'opened')), url: link(pick(from, 'url')) ?? link(pick(from, 'target')) }
}

export interface Pictures {
  kind: 'pictures'
  /** Data URLs that contain the pictures. */
  pictures: PartialList<string>
}

const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const LARGEST = 4_000_000

/** Reads pictures from a server. Only bitmaps are accepted: a vector drawing could contain anything. */
export function readPictures(payload: unknown): Pictures | Problem {
  const pictures = partialList(list(pick(fields(payload), 'pictures')), 8, (value) => {
    const from = fields(value)
    const [mime, data] = [pick(from, 'mime'), pick(from, 'data')]
    const fits = typeof mime === 'string' && PICTURE.test(mime) && typeof data === 'string' && data.length <= LARGEST && BASE64.test(data)
    return fits ? `data:${mime};base64,${data}` : null
  })
  return pictures.shown.length > 0 ? { kind: 'pictures', pictures } : { problem: 'There is no picture in it that can be shown.' }
}
