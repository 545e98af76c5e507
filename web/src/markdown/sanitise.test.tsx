import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { TooltipProvider } from '@/design/Tooltip'
import { HOSTILE } from '@/testkit/hostile'
import { Markdown } from './Markdown'

beforeAll(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))

async function show(source: string, streaming = false, flowing = false): Promise<HTMLElement> {
  const host = document.createElement('div')
  const root = createRoot(host)
  await act(async () =>
    root.render(
      <TooltipProvider>
        <Markdown source={source} streaming={streaming} flowing={flowing} />
      </TooltipProvider>,
    ),
  )
  return host
}

const FORBIDDEN = 'script, iframe, object, embed, style, link, meta, base, form, img, video, audio, source, template, noscript, math [href], [srcdoc], [contenteditable], button[type=submit]'
const ALLOWED_ATTRIBUTES = new Set([
  'class', 'dir', 'href', 'title', 'target', 'rel', 'tabindex', 'role', 'aria-label', 'aria-hidden', 'data-thinking', 'type', 'checked', 'readonly',
  'colspan', 'rowspan', 'align', 'start', 'open', 'lang', 'data-state', 'width', 'height', 'viewBox', 'fill', 'stroke', 'stroke-width',
  'stroke-linecap', 'stroke-linejoin', 'd', 'x', 'y', 'rx', 'ry', 'xmlns',
])

function checkHarmless(host: HTMLElement): void {
  expect(host.querySelector(FORBIDDEN)?.outerHTML ?? null).toBeNull()
  expect([...host.querySelectorAll('*')].flatMap(faults)).toEqual([])
  // Content must not imitate the app's own styles.
  expect(host.querySelector('.fixed')).toBeNull()
  expect(host.querySelector('[id], [name]')).toBeNull()
  expect([...host.querySelectorAll('[style]')].filter((element) => !element.closest('.katex'))).toEqual([])
}

/** Returns what an element has or leads to that it must not. */
function faults(element: Element): string[] {
  // Inside a formula the typesetter sets the attributes, with trust disabled.
  const typeset = element.closest('.katex, .katex-display') !== null
  const found = [...element.attributes].filter(({ name }) => /^on/.test(name) || !(typeset || ALLOWED_ATTRIBUTES.has(name))).map(({ name, value }) => `${name}="${value}" on ${element.tagName}`)
  const href = element.getAttribute('href')
  if (href !== null && !(/^(?:https?:\/\/|mailto:)/.test(href) && element.getAttribute('rel') === 'noopener noreferrer')) found.push(`a link to ${href}`)
  return found
}

describe('what a model writes', () => {
  test.each(HOSTILE)('does no harm: %s', async (source) => {
    checkHarmless(await show(source))
    checkHarmless(await show(source, true))
  })

  test('does no harm however the stream is cut', async () => {
    const source = HOSTILE.join('\n\n')
    for (let cut = 0; cut < source.length; cut += 101) checkHarmless(await show(source.slice(0, cut), true))
  })

  test('keeps what is harmless', async () => {
    const host = await show(
      'A [link](https://example.org "t"), <kbd>Ctrl</kbd>, H<sub>2</sub>O, ~~no~~ and <mailto:a@b.example>\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done',
    )
    expect(host.querySelector('a')?.getAttribute('href')).toBe('https://example.org')
    expect(host.querySelector('kbd')?.textContent).toBe('Ctrl')
    expect(host.querySelector('sub')?.textContent).toBe('2')
    expect([...host.querySelectorAll('td')].map((cell) => cell.getAttribute('align'))).toEqual([null, 'right'])
    expect((await show('7. seven')).querySelector('ol')?.start).toBe(7)
    expect(host.querySelector<HTMLInputElement>('input[type=checkbox]')?.checked).toBe(true)
    expect([...host.querySelectorAll('a')].at(-1)?.getAttribute('href')).toBe('mailto:a@b.example')
  })

  test('shows a picture from elsewhere as a link, so that nothing is fetched', async () => {
    const host = await show('![a cat](https://example.org/cat.png)')
    expect(host.querySelector('img')).toBeNull()
    expect(host.querySelector('a')?.textContent).toBe('a cat')
  })

  test('ends its lines where the writer did, or lets them flow as a document does', async () => {
    const text = 'what is\nin it,  \nand `not`\nout'
    expect((await show(text)).querySelectorAll('br')).toHaveLength(3)
    const flowing = await show(text, false, true)
    expect(flowing.querySelectorAll('br')).toHaveLength(1)
    expect(flowing.querySelector('p')?.textContent).toBe('what is\nin it,and not\nout')
  })

  test('reads in its own direction', async () => {
    const host = await show('שלום\n\n- سلام')
    expect(host.querySelector('p')?.getAttribute('dir')).toBe('auto')
    expect(host.querySelector('li')?.getAttribute('dir')).toBe('auto')
  })

  test('has headings below the page’s own', async () => {
    expect((await show('# One')).querySelector('h3')?.textContent).toBe('One')
  })

  test('carries the cursor at the end of the last words', async () => {
    const host = await show('- one\n- two **bold**', true)
    const items = host.querySelectorAll('li')
    expect(items[1]?.lastElementChild?.className).toBe('moon-cursor')
    expect(host.querySelectorAll('.moon-cursor')).toHaveLength(1)
  })
})
