import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Hub } from './hub'
import { retryNow } from './retry'
import type { Push } from './protocol.gen'

class FakeSocket {
  static readonly OPEN = 1
  static made: FakeSocket[] = []
  readyState = FakeSocket.OPEN
  readonly sent: string[] = []
  onmessage: ((message: { data: unknown }) => void) | null = null
  onclose: (() => void) | null = null
  readonly address: URL

  constructor(address: URL) {
    this.address = address
    FakeSocket.made.push(this)
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.readyState = 3
    this.onclose?.()
  }

  say(push: Push & { seq: number }): void {
    this.onmessage?.({ data: JSON.stringify(push) })
  }
}

const heard: Push[] = []
const lines: boolean[] = []
let hub: Hub

beforeEach(() => {
  FakeSocket.made = []
  heard.length = 0
  lines.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  hub = new Hub({ push: (push) => heard.push(push), line: (line) => lines.push(line.open) })
  hub.start()
})

afterEach(() => {
  hub.stop()
  vi.unstubAllGlobals()
})

const socket = (index: number) => vi.waitFor(() => {
  retryNow()
  const made = FakeSocket.made[index]
  if (!made) throw new Error('no socket yet')
  return made
})

describe('the line to the hub', () => {
  test('hands on what it hears', async () => {
    const first = await socket(0)
    expect(first.address.search).toBe('')
    first.say({ action: 'hello', clientId: 'c', version: '1', seq: 4 })
    first.say({ action: 'config_changed', seq: 5 })
    expect(heard.map(({ action }) => action)).toEqual(['hello', 'config_changed'])
    expect(lines).toEqual([true])
  })

  test('comes back by itself and asks for what it missed', async () => {
    const first = await socket(0)
    first.say({ action: 'hello', clientId: 'c', version: '1', seq: 4 })
    first.say({ action: 'config_changed', seq: 7 })
    first.close()
    const second = await socket(1)
    expect(second.address.search).toBe('?lastSeq=7')
    second.say({ action: 'hello', clientId: 'c', version: '1', seq: 7 })
    expect(lines).toEqual([true, false, true])
  })

  test('tells when it is greeted, and when that changes, whether the page can be seen', async () => {
    const first = await socket(0)
    hub.setVisible(true)
    first.say({ action: 'hello', clientId: 'c', version: '1', seq: 4 })
    hub.setVisible(false)
    first.close()
    hub.setVisible(true)
    expect(first.sent.map((text) => JSON.parse(text) as unknown)).toEqual([true, true, false].map((visible) => ({ action: 'presence', visible })))
  })

  test('is not taken up again after it was put down', async () => {
    await socket(0)
    hub.stop()
    retryNow()
    await Promise.resolve()
    expect(FakeSocket.made).toHaveLength(1)
  })
})
