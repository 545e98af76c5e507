import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { requests, routes, json, message, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import type { DraftFile } from './files'

const CHAT = '0000000000abc'
const state = () => useStore.getState()
const draft = () => state().drafts[CHAT]
/**
 * Returns a response with a stored file. The `Blob` of the page differs from the one that responses return
 * here.
 */
const file = (...parts: BlobPart[]) => Object.assign(new Response(), { blob: () => Promise.resolve(new Blob(parts)) })
const stored = (id: string, name: string, mime: string) => ({ id, name, mime, bytes: 5 })

function picture(name: string): DraftFile {
  return { id: name, name, mime: 'image/png', bytes: 1, kind: 'picture', data: btoa(name), preview: `blob:${name}` }
}

/** The revoked object URLs of pictures. */
const released: string[] = []
const settled = () => new Promise<void>((resolve) => queueMicrotask(resolve))

beforeEach(async () => {
  localStorage.clear()
  serve()
  freshStores()
  await settled()
  released.length = 0
  let made = 0
  URL.createObjectURL = () => `blob:made ${(made += 1)}`
  URL.revokeObjectURL = (address) => void released.push(address)
})

afterEach(() => vi.unstubAllGlobals())

describe('a message that is edited', () => {
  test('brings its files along, byte for byte', async () => {
    routes['GET /api/attachments/f1'] = () => file('hello')
    routes['GET /api/attachments/f2'] = () => file(Uint8Array.of(0, 255, 7))
    const attachments = [stored('f1', 'a.toml', 'application/toml'), stored('f2', 'b.png', 'image/png')]
    await state().startEdit(CHAT, message('u1', 'user', 'Look', { attachments }))
    expect(draft()).toMatchObject({ text: 'Look', reading: 0, editTrouble: null })
    expect(draft()?.files).toMatchObject([
      { name: 'a.toml', mime: 'application/toml', kind: 'text', data: btoa('hello'), preview: null },
      { name: 'b.png', mime: 'image/png', kind: 'picture', data: 'AP8H' },
    ])
  })

  test('just after it was sent has the files that were sent', async () => {
    useStore.setState({ sentFiles: { u1: [picture('cat')] } })
    await state().startEdit(CHAT, message('u1', 'user', 'Look'))
    expect(draft()?.files).toEqual([picture('cat')])
    expect(requests).toEqual([])
  })

  test('waits for its files before it can be sent', async () => {
    let arrive: (answer: Response) => void = () => {}
    routes['GET /api/attachments/f1'] = () => new Promise((resolve) => void (arrive = resolve))
    const editing = state().startEdit(CHAT, message('u1', 'user', 'Look', { attachments: [stored('f1', 'a.txt', 'text/plain')] }))
    expect(draft()?.reading).toBe(1)
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    arrive(file('hello'))
    await editing
    expect(draft()).toMatchObject({ reading: 0, files: [{ name: 'a.txt' }] })
  })

  test.each([
    ['is gone', () => refusal(404, 'notFound', 'there is no such file')],
    ['fails', () => refusal(500, 'internal', 'the disk is full')],
  ])('says so, and makes nothing up, where a file %s', async (_name, answer) => {
    routes['GET /api/attachments/f1'] = answer
    routes['GET /api/attachments/f2'] = () => file('hello')
    const attachments = [stored('f1', 'a.txt', 'text/plain'), stored('f2', 'b.txt', 'text/plain')]
    await state().startEdit(CHAT, message('u1', 'user', 'Look', { attachments }))
    expect(draft()).toMatchObject({ files: [], reading: 0 })
    expect(draft()?.editTrouble).toMatch(/could not be fetched/)
    state().setText(CHAT, 'Look here')
    expect(draft()?.editTrouble).toMatch(/could not be fetched/)
  })

  test('keeps its files out of what was being written before', async () => {
    let arrive: (answer: Response) => void = () => {}
    routes['GET /api/attachments/f1'] = () => new Promise((resolve) => void (arrive = resolve))
    state().setText(CHAT, 'Half a thou')
    const editing = state().startEdit(CHAT, message('u1', 'user', 'Look', { attachments: [stored('f1', 'a.png', 'image/png')] }))
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    state().cancelEdit(CHAT)
    arrive(file('hello'))
    await editing
    expect(draft()).toMatchObject({ text: 'Half a thou', files: [], reading: 0, edit: null })
    expect(released).toEqual(['blob:made 1'])
  })

  test('leaves a file that is still being read to what it was chosen for', async () => {
    const reading = state().addFiles(CHAT, [new File(['hi'], 'note.txt', { type: 'text/plain' })])
    await state().startEdit(CHAT, message('u1', 'user', 'Look'))
    await reading
    expect(draft()?.files).toEqual([])
    state().cancelEdit(CHAT)
    expect(draft()?.files).toMatchObject([{ name: 'note.txt' }])
  })
})

describe('a picture', () => {
  test('is let go when it is removed', async () => {
    state().returnToDraft(CHAT, { text: '', files: [picture('cat'), picture('dog')] })
    await settled()
    state().removeFile(CHAT, 'cat')
    await settled()
    expect(released).toEqual(['blob:cat'])
  })

  test('is held wherever it goes, until it has arrived', async () => {
    state().returnToDraft(CHAT, { text: '', files: [picture('cat')] })
    await settled()
    state().clearDraft(CHAT)
    state().enqueue(CHAT, { text: 'Look', files: [picture('cat')] })
    await settled()
    state().editQueued(CHAT, state().queues[CHAT]?.[0]?.id ?? '')
    await settled()
    useStore.setState({ drafts: {}, sentFiles: { u1: [picture('cat')] } })
    await settled()
    expect(released).toEqual([])
    routes[`GET /api/chats/${CHAT}`] = () =>
      json({ chat: null, messages: [message('u1', 'user', '', { attachments: [stored('f1', 'cat', 'image/png')] })], before: null, live: null, summary: null })
    await state().refreshChat(CHAT)
    await settled()
    expect(released).toEqual(['blob:cat'])
  })

  test('beside an edit is held while it waits aside', async () => {
    state().returnToDraft(CHAT, { text: '', files: [picture('cat')] })
    await settled()
    await state().startEdit(CHAT, message('u1', 'user', 'Look'))
    await settled()
    expect(released).toEqual([])
    state().cancelEdit(CHAT)
    expect(draft()?.files).toEqual([picture('cat')])
  })

  test('that is one too many is let go at once', async () => {
    const many = Array.from({ length: 10 }, (_, index) => ({ ...picture(`p${index}`), preview: null }))
    state().returnToDraft(CHAT, { text: '', files: many })
    await state().addFiles(CHAT, [new File(['GIF89a'], 'x.gif', { type: 'image/gif' })])
    expect(draft()).toMatchObject({ reading: 0, trouble: expect.stringContaining('up to 10 files') as string })
    expect(released).toEqual(['blob:made 1'])
  })
})
