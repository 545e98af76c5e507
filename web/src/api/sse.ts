export interface SseFrame {
  id: string
  event: string
  data: string
}

/** The largest size of one frame: a server that never ends a line must not fill the memory. */
const LONGEST = 16 * 1024 * 1024

/** Parses bytes into frames, wherever the bytes are split: inside a line, a CRLF or a character. */
export class SseParser {
  private readonly decoder = new TextDecoder('utf-8')
  private line = ''
  private data: string[] = []
  private event = ''
  private id = ''
  private size = 0
  private afterReturn = false

  push(bytes: Uint8Array): SseFrame[] {
    const frames: SseFrame[] = []
    let text = this.decoder.decode(bytes, { stream: true })
    // This line feed belongs to a CRLF that was split between two chunks.
    if (this.afterReturn && text.startsWith('\n')) text = text.slice(1)
    if (text !== '') this.afterReturn = text.endsWith('\r')
    let start = 0
    for (const end of text.matchAll(/\r\n|\r|\n/g)) {
      this.take(this.line + text.slice(start, end.index), frames)
      this.line = ''
      start = end.index + end[0].length
    }
    this.line += text.slice(start)
    if (this.line.length + this.size > LONGEST) throw new Error('an event of the stream is too large')
    return frames
  }

  private take(line: string, frames: SseFrame[]): void {
    if (line === '') {
      if (this.data.length > 0) {
        frames.push({ id: this.id, event: this.event || 'message', data: this.data.join('\n') })
      }
      this.data = []
      this.event = ''
      this.size = 0
      return
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const rest = colon < 0 ? '' : line.slice(colon + 1)
    const value = rest.startsWith(' ') ? rest.slice(1) : rest
    if (field === 'data') {
      this.data.push(value)
      this.size += value.length
    } else if (field === 'event') this.event = value
    else if (field === 'id' && !value.includes('\0')) this.id = value
  }
}

/** Thrown when the stream has sent nothing for too long, not even a heartbeat. */
class Stalled extends Error {}

/** Yields the frames of a response body until it ends. */
export async function* frames(body: ReadableStream<Uint8Array>, stallMs: number): AsyncGenerator<SseFrame> {
  const reader = body.getReader()
  const parser = new SseParser()
  try {
    for (;;) {
      const { done, value } = await withDeadline(reader.read(), stallMs)
      if (done) return
      yield* parser.push(value)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Stalled('the stream went silent')), ms)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
