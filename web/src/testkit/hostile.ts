import { expect } from 'vitest'
import corpus from './hostile.json'

/**
 * Texts that a page, a file, a skill or a model may contain to attack the reader. Each sets `window.hit` if
 * it can.
 */
export const HOSTILE: string[] = corpus

const FORBIDDEN = 'script, iframe, object, embed, style, link, meta, base, form, img, video, audio, source, template, noscript, [srcdoc], [contenteditable], [formaction]'

/** Asserts that nothing rendered can act by itself or leave the app without the user. */
export function checkInert(host: ParentNode): void {
  expect(host.querySelector(FORBIDDEN)?.outerHTML ?? null).toBeNull()
  for (const element of host.querySelectorAll('*')) {
    for (const { name } of element.attributes) expect(name).not.toMatch(/^on/)
    const href = element.getAttribute('href')
    if (href !== null) expect(href).toMatch(/^(?:https?:\/\/|mailto:|#\/)/)
    if (href?.startsWith('http')) expect(element.getAttribute('rel')).toBe('noopener noreferrer')
  }
  expect((window as { hit?: unknown }).hit).toBeUndefined()
}

/** Splits the text into pieces that end inside tags and entities. */
export function inChunks(text: string): string[] {
  return text.match(/[^<>"=&]*[<>"=&]?/g)?.filter((piece) => piece !== '') ?? []
}
