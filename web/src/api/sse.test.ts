// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { type SseFrame, SseParser } from './sse'

const encoder = new TextEncoder()

function parse(chunks: Uint8Array[]): SseFrame[] {
  const parser = new SseParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}

function whole(text: string): SseFrame[] {
  return parse([encoder.encode(text)])
}

const STREAM = [
  ': heartbeat\n\n',
  'id: 0000000000abc:1\ndata: {"type":"token","content":"Grüße, 月 🌙"}\n\n',
  'id: 0000000000abc:2\r\nevent: token\r\ndata: first line\r\ndata: second line\r\n\r\n',
  'data:no space\r\rdata\n\n',
  'unknown: field\nid: 0000000000abc:3\ndata:  two spaces keep one\n\n',
].join('')

const FRAMES: SseFrame[] = [
  { id: '0000000000abc:1', event: 'message', data: '{"type":"token","content":"Grüße, 月 🌙"}' },
  { id: '0000000000abc:2', event: 'token', data: 'first line\nsecond line' },
  { id: '0000000000abc:2', event: 'message', data: 'no space' },
  { id: '0000000000abc:2', event: 'message', data: '' },
  { id: '0000000000abc:3', event: 'message', data: ' two spaces keep one' },
]

describe('a stream of events', () => {
  test('is read as a whole', () => expect(whole(STREAM)).toEqual(FRAMES))

  test('is read the same wherever it is cut in two', () => {
    const bytes = encoder.encode(STREAM)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(parse([bytes.slice(0, cut), bytes.slice(cut)]), `cut at byte ${cut}`).toEqual(FRAMES)
    }
  })

  test('is read the same byte by byte', () => {
    expect(parse(Array.from(encoder.encode(STREAM), (byte) => Uint8Array.of(byte)))).toEqual(FRAMES)
  })

  test('gives nothing for an event that was cut before its end', () => {
    expect(whole('id: x:1\ndata: half')).toEqual([])
    expect(whole('id: x:1\ndata: half\n')).toEqual([])
  })

  test('begins behind a byte order mark', () => {
    expect(whole('\uFEFFdata: a\n\n')).toEqual([{ id: '', event: 'message', data: 'a' }])
  })

  test('is given up where one event would fill the memory', () => {
    const parser = new SseParser()
    const megabyte = encoder.encode('x'.repeat(1 << 20))
    parser.push(encoder.encode('data: '))
    expect(() => {
      for (let count = 0; count < 20; count += 1) parser.push(megabyte)
    }).toThrow('too large')
  })
})
