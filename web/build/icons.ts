// Draws the icons of the app: `npm run icons` writes them to `public/`. Her face is the one of `src/design/Moon.tsx`.

import { writeFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number, alpha: number]
/** What covers a point of the drawing, in units of which a side has 64; nothing where it is not there. */
type Layer = (x: number, y: number) => Colour | null

const hex = (text: string, alpha = 1): Colour => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)).concat(alpha) as unknown as Colour

const ellipse = (cx: number, cy: number, rx: number, ry: number, colour: Colour): Layer => (x, y) => (((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1 ? colour : null)
const disc = (cx: number, cy: number, r: number, colour: Colour) => ellipse(cx, cy, r, r, colour)

type Point = readonly [x: number, y: number]

/** A line along a curve of three points, with round ends. */
function stroke([from, by, to]: readonly [Point, Point, Point], width: number, colour: Colour): Layer {
  const along = Array.from({ length: 49 }, (_, step) => {
    const t = step / 48
    const at = (axis: 0 | 1) => (1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * by[axis] + t * t * to[axis]
    return [at(0), at(1)] as const
  })
  const reach = Math.max(...along.map(([x, y]) => Math.hypot(x - by[0], y - by[1]))) + width
  return (x, y) => (Math.hypot(x - by[0], y - by[1]) < reach && along.some(([px, py]) => Math.hypot(x - px, y - py) <= width / 2) ? colour : null)
}

/** The night around her, lighter where her light falls. */
const night: Layer = (x, y) => {
  const light = Math.max(0, 1 - Math.hypot(x - 34, y - 14) / 58) ** 1.6
  const [dark, lit] = [hex('#090b16'), hex('#2b3158')]
  return [0, 1, 2].map((index) => (dark[index] ?? 0) * (1 - light) + (lit[index] ?? 0) * light).concat(1) as unknown as Colour
}

/** A square with soft corners, as the systems that cut nothing off like it. */
const rounded = (inner: Layer): Layer => (x, y) => ((Math.abs(x - 32) / 32) ** 5 + (Math.abs(y - 32) / 32) ** 5 <= 1 ? inner(x, y) : null)

const shade: Layer = (x, y) => (Math.hypot(x - 32, y - 32) <= 30 && Math.hypot(x - 26.1, y - 22.1) > 34.6 ? hex('#d3cef8') : null)
const star = (cx: number, cy: number, r: number): Layer => disc(cx, cy, r, hex('#f5dd9a', 0.9))

const FACE: Layer[] = [
  disc(32, 32, 30, hex('#f8f7ff')),
  shade,
  disc(17, 19, 4.4, hex('#dedafa')), disc(24.5, 11.5, 2.2, hex('#e4e1fb')), disc(46, 15.5, 3.4, hex('#dedafa')), disc(52.5, 24, 1.9, hex('#e4e1fb')),
  ...[22.5, 41.5].flatMap((x) => [ellipse(x, 34, 4.6, 6.3, hex('#2a2c66')), ellipse(x, 36.4, 3.1, 3.3, hex('#5f74f5')), disc(x + 1.5, 31, 1.8, hex('#ffffff'))]),
  ellipse(15.5, 43, 3.6, 2.3, hex('#f7b4c6')), ellipse(48.5, 43, 3.6, 2.3, hex('#f7b4c6')),
  stroke([[27.5, 44.5], [32, 48.5], [36.5, 44.5]], 2.1, hex('#2a2c66')),
]

/** Smaller, around the middle. */
const scaled = (layer: Layer, by: number): Layer => (x, y) => layer(32 + (x - 32) / by, 32 + (y - 32) / by)

const STARS = [star(10.5, 13, 0.75), star(54, 9.5, 0.6), star(7.5, 47, 0.5), star(56.5, 53, 0.7), star(50, 57.5, 0.4)]
/** What a system may cut off lies outside of the inner four fifths. */
const MASKABLE: Layer[] = [night, ...FACE.map((layer) => scaled(layer, 0.6))]
const PLAIN: Layer[] = [rounded(night), ...STARS.map(rounded), ...FACE.map((layer) => scaled(layer, 0.72))]
const FULL: Layer[] = [night, ...STARS, ...FACE.map((layer) => scaled(layer, 0.7))]

/** Each pixel is looked at in sixteen places. */
const FINE = 4

function draw(layers: Layer[], side: number): Uint8Array {
  const pixels = new Uint8Array(side * side * 4)
  for (let at = 0; at < side * side; at += 1) {
    const sum = [0, 0, 0, 0]
    for (let sample = 0; sample < FINE * FINE; sample += 1) {
      const x = (((at % side) + ((sample % FINE) + 0.5) / FINE) / side) * 64
      const y = ((Math.floor(at / side) + (Math.floor(sample / FINE) + 0.5) / FINE) / side) * 64
      let colour: Colour = [0, 0, 0, 0]
      for (const layer of layers) colour = over(colour, layer(x, y))
      for (let index = 0; index < 3; index += 1) sum[index] = (sum[index] ?? 0) + (colour[index] ?? 0) * colour[3]
      sum[3] = (sum[3] ?? 0) + colour[3]
    }
    const alpha = sum[3] ?? 0
    for (let index = 0; index < 3; index += 1) pixels[at * 4 + index] = alpha === 0 ? 0 : Math.round((sum[index] ?? 0) / alpha)
    pixels[at * 4 + 3] = Math.round((alpha / FINE / FINE) * 255)
  }
  return pixels
}

function over(below: Colour, above: Colour | null): Colour {
  if (!above) return below
  const alpha = above[3] + below[3] * (1 - above[3])
  const mix = (index: 0 | 1 | 2) => (above[index] * above[3] + below[index] * below[3] * (1 - above[3])) / alpha
  return [mix(0), mix(1), mix(2), alpha]
}

function chunk(name: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** Each row as the difference to the one above, which is mostly nothing. */
function png(pixels: Uint8Array, side: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const width = side * 4
  const rows = new Uint8Array(side * (width + 1))
  for (let y = 0; y < side; y += 1) {
    rows[y * (width + 1)] = 2
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = (pixels[y * width + x] ?? 0) - (y === 0 ? 0 : (pixels[(y - 1) * width + x] ?? 0))
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', new Uint8Array())])
}

for (const [name, layers, side] of [
  ['icon-192', PLAIN, 192],
  ['icon-512', PLAIN, 512],
  ['icon-maskable-192', MASKABLE, 192],
  ['icon-maskable-512', MASKABLE, 512],
  ['apple-touch-icon', FULL, 180],
] as const) {
  writeFileSync(new URL(`../public/${name}.png`, import.meta.url), png(draw(layers, side), side))
}
