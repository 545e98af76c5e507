import { fetchBytes } from '@/avatar/bytes'

const WIDTH = 288
const HEIGHT = 360

const made = new Map<string, Promise<string>>()
/** Thumbnails are drawn one at a time: each needs a canvas of its own, and a browser allows few. */
let queue: Promise<unknown> = Promise.resolve()

/** Returns the object URL of an avatar's picture. Failed ones are drawn again on the next request. */
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
