import '@/testkit/browser'
import { act, useEffect, useRef, useState } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { button, clear, draw, press } from '@/testkit/draw'
import { Dialog } from './Dialog'

/** A dialog content that takes the focus as soon as it is mounted. */
function Next({ onNext }: { onNext: (() => void) | undefined }) {
  const taker = useRef<HTMLButtonElement>(null)
  useEffect(() => taker.current?.focus(), [])
  return (
    <button type="button" ref={taker} onClick={onNext}>
      Next
    </button>
  )
}

function Panel({ title, onClose, onNext }: { title: string; onClose: () => void; onNext?: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Next onNext={onNext} />
    </Dialog>
  )
}

function Page({ gone = false }: { gone?: boolean }) {
  const [open, setOpen] = useState<'first' | 'second' | null>(null)
  return (
    <main tabIndex={-1}>
      {!(gone && open) && (
        <button type="button" onClick={() => setOpen('first')}>
          Open
        </button>
      )}
      {open === 'first' && <Panel key="first" title="First" onClose={() => setOpen(null)} onNext={() => setOpen('second')} />}
      {open === 'second' && <Panel key="second" title="Second" onClose={() => setOpen(null)} />}
    </main>
  )
}

const focus = () => document.activeElement
const settled = () => act(async () => void (await new Promise((done) => setTimeout(done, 5))))
const open = async (gone = false) => {
  await draw(<Page gone={gone} />)
  act(() => document.querySelector('button')?.focus())
  await press('Open')
  await settled()
  expect(focus()?.textContent).toBe('Next')
}
const close = async () => {
  await act(async () => void focus()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })))
  await settled()
  expect(document.querySelector('[role=dialog]')).toBeNull()
}

afterEach(clear)

describe('a dialog gives the focus back', () => {
  test('to where it came from, whatever took it inside', async () => {
    await open()
    await close()
    expect(focus()).toBe(button('Open'))
  })

  test('to where the first of two was opened', async () => {
    await open()
    await press('Next')
    await settled()
    expect(focus()?.textContent).toBe('Next')
    await close()
    expect(focus()).toBe(button('Open'))
  })

  test('unless something else has taken it', async () => {
    await open()
    const other = document.body.appendChild(document.createElement('input'))
    act(() => document.querySelector<HTMLButtonElement>('[role=dialog] [aria-label=Close]')?.click())
    other.focus()
    await settled()
    expect(focus()).toBe(other)
  })

  test('to the page where that is gone', async () => {
    await open(true)
    await close()
    expect(focus()?.tagName).toBe('MAIN')
  })
})
