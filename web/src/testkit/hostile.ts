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
  // One assertion for all elements: an assertion takes longer than a check, and there are hundreds of thousands.
  expect([...host.querySelectorAll('*')].flatMap(faults)).toEqual([])
  expect((window as { hit?: unknown }).hit).toBeUndefined()
}

/** Returns what an element could do by itself, or where it leads to that it must not. */
function faults(element: Element): string[] {
  const found = element.getAttributeNames().filter((name) => /^on/.test(name))
  const href = element.getAttribute('href')
  if (href !== null && !/^(?:https?:\/\/|mailto:|#\/)/.test(href)) found.push(`href=${href}`)
  if (href?.startsWith('http') && element.getAttribute('rel') !== 'noopener noreferrer') found.push(`rel=${element.getAttribute('rel')}`)
  return found
}

/** Splits the text into pieces that end inside tags and entities. */
export function inChunks(text: string): string[] {
  return text.match(/[^<>"=&]*[<>"=&]?/g)?.filter((piece) => piece !== '') ?? []
}
