import { fetchBytes } from '@/avatar/bytes'

const WIDTH = 288
const HEIGHT = 360

const made = new Map<string, Promise<string>>()
/** One at a time: each has a canvas of its own, of which a browser has few. */
let queue: Promise<unknown> = Promise.resolve()

/** A picture of a body, as an address within the page. What failed is tried again when it is asked for again. */
export function thumbnail(url: string): Promise<string> {
  const known = made.get(url)
  if (known) return known
  const picture = queue.then(() => render(url))
  queue = picture.catch(() => {})
  made.set(url, picture)
  picture.catch(() => made.delete(url))
  return picture
}

async function render(url: string): Promise<string> {
  const [bytes, { portrait }] = await Promise.all([fetchBytes(url), import('./portrait')])
  return URL.createObjectURL(await portrait(bytes, WIDTH, HEIGHT))
}
