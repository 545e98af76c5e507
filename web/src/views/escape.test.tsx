import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { clear, draw } from '@/testkit/draw'
import { freshStores } from '@/testkit/stores'
import { useEscape, useEscapeToDev } from './escape'

const view = () => useStore.getState().view
const focused = () => document.activeElement?.id ?? ''
const close = vi.fn()

beforeEach(() => {
  close.mockClear()
  freshStores({ view: 'luna' })
})
afterEach(clear)

function Panels() {
  useEscapeToDev()
  return (
    <>
      <button id="dock" />
      <section data-panel="widgets">
        <button id="head" data-panel-head />
        <div className="panel-body">
          <div id="text" tabIndex={0} />
          <textarea id="field" />
          <div className="widget">
            <div id="chart" tabIndex={0} />
            <input id="tick" type="checkbox" />
          </div>
        </div>
      </section>
    </>
  )
}

function Sheet() {
  useEscapeToDev()
  useEscape(true, close)
  return (
    <aside className="history" id="sheet" tabIndex={-1}>
      <button id="message" />
      <div className="widget">
        <div id="chart" tabIndex={0} />
      </div>
    </aside>
  )
}

async function escape(from: string): Promise<void> {
  const target = document.getElementById(from) as HTMLElement
  await act(async () => target.focus())
  await act(async () => void target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })))
}

test.each(['chart', 'tick', 'text'])('from %s in a panel it leads to the head of the panel, and from there to the desk', async (inner) => {
  await draw(<Panels />)
  await escape(inner)
  expect(focused()).toBe('head')
  expect(view()).toBe('luna')
  await escape('head')
  expect(view()).toBe('dev')
})

test('a field is left for nothing', async () => {
  await draw(<Panels />)
  await escape('field')
  expect(document.activeElement).toBe(document.body)
  expect(view()).toBe('luna')
})

test('from the dock it leads to the desk', async () => {
  await draw(<Panels />)
  await escape('dock')
  expect(view()).toBe('dev')
})

test('on a sheet it leaves the chart first, then puts the sheet away', async () => {
  await draw(<Sheet />)
  await escape('chart')
  expect(focused()).toBe('sheet')
  expect(close).not.toHaveBeenCalled()
  await escape('message')
  expect(close).toHaveBeenCalledOnce()
  expect(view()).toBe('luna')
})
