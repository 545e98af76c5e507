import '@/testkit/browser'
import { act, type ComponentType, Suspense } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clear, draw, press } from '@/testkit/draw'
import { Boundary, retryFailed } from './Boundary'
import { Broken } from './Broken'
import { lazyPart } from './lazyPart'

const text = () => document.body.textContent ?? ''
const Thing = ({ name = 'Here.' }: { name?: string }) => <p>{name}</p>

/** Returns a part from a server that fails this many times. */
function fetched(failures: number) {
  let asked = 0
  const fetch = async (): Promise<{ default: ComponentType<{ name?: string }> }> => {
    asked += 1
    if (asked <= failures) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: Thing }
  }
  return { Part: lazyPart(fetch), asked: () => asked }
}

// React reports every error that a boundary catches.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(clear)

describe('a part that did not come', () => {
  const show = (Part: ComponentType<{ name?: string }>, resetOn?: unknown) =>
    draw(
      <Boundary fallback={<Broken />} resetOn={resetOn}>
        <Suspense>
          <Part />
        </Suspense>
      </Boundary>,
    )

  test('is asked for once, and comes when it is tried again', async () => {
    const { Part, asked } = fetched(1)
    await show(Part)
    expect(text()).toContain('This part did not load')
    expect(asked()).toBe(1)
    await press('Try again')
    expect(text()).toBe('Here.')
  })

  test('comes when it is opened again', async () => {
    const { Part } = fetched(1)
    await show(Part)
    await show(Part)
    expect(text()).toBe('Here.')
  })

  test('says so again while the server is still down', async () => {
    const { Part, asked } = fetched(2)
    await show(Part)
    await press('Try again')
    expect(text()).toContain('This part did not load')
    expect(asked()).toBe(2)
    await act(async () => retryFailed())
    expect(text()).toBe('Here.')
  })

  test('that stands in several places is fetched anew once for all of them', async () => {
    const { Part, asked } = fetched(1)
    const place = (name: string) => (
      <Boundary fallback={<p>Lost.</p>}>
        <Suspense>
          <Part name={name} />
        </Suspense>
      </Boundary>
    )
    await draw([<i key="1">{place('One.')}</i>, <i key="2">{place('Two.')}</i>])
    expect(text()).toBe('Lost.Lost.')
    await act(async () => retryFailed())
    expect(text()).toBe('One.Two.')
    expect(asked()).toBe(2)
  })
})

test('a style that did not come is fetched with the next try, and waited for', async () => {
  const { Part } = fetched(1)
  const sheet = () => document.head.querySelector<HTMLLinkElement>('link[rel=stylesheet]')
  document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/assets/part.css' }))
  const lose = () => act(async () => void sheet()?.dispatchEvent(new Event('error')))
  await draw(
    <Boundary fallback={<Broken />}>
      <Suspense>
        <Part />
      </Suspense>
    </Boundary>,
  )
  await lose()
  const first = sheet()
  await press('Try again')
  expect(sheet()).not.toBe(first)
  expect(sheet()?.getAttribute('href')).toBe('/assets/part.css')
  expect(text()).toBe('')
  await lose()
  expect(text()).toContain('This part did not load')
  await press('Try again')
  await act(async () => void sheet()?.dispatchEvent(new Event('load')))
  expect(text()).toBe('Here.')
  expect(document.head.querySelectorAll('link[rel=stylesheet]')).toHaveLength(1)
})
