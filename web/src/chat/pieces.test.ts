import { describe, expect, test } from 'vitest'
import { act } from '@/testkit/server'
import { cutIntoPieces, NO_CUTS } from './pieces'

/**
 * Returns the texts, with `¦` where tool calls stand between them. In the input `¦` marks where a tool call
 * happened.
 */
function shown(marked: string): string[] {
  const places: number[] = []
  const content = marked.replace(/¦/g, (_, at: number) => {
    places.push(at - places.length)
    return ''
  })
  const acts = places.map((at, index) => act(`a${index}`, 'time', { at }))
  const { pieces } = cutIntoPieces(NO_CUTS, content, acts)
  const texts = pieces.filter((piece) => piece.kind === 'text').map((piece) => piece.source)
  expect(texts.join('').trim()).toBe(content.replace(/\r\n/g, '\n').trim())
  return pieces.map((piece) => (piece.kind === 'text' ? piece.source.trim() : '¦'.repeat(piece.acts.length)))
}

describe('an act stands where it happened', () => {
  test.each<[string, string, string[]]>([
    ['before the first word', '¦Hello.', ['¦', 'Hello.']],
    ['after the last', 'Hello.¦', ['Hello.', '¦']],
    ['without words', '¦¦', ['¦¦']],
    ['between paragraphs', 'One.\n\n¦Two.', ['One.', '¦', 'Two.']],
    ['before a blank line', 'One.¦\n\nTwo.', ['One.', '¦', 'Two.']],
    ['between sentences of a paragraph', 'One.¦ Two.', ['One.', '¦', 'Two.']],
    ['several at one place', 'One.\n\n¦¦¦Two.', ['One.', '¦¦¦', 'Two.']],
    ['several at several places', '¦One.\n\n¦Two.\n\n¦', ['¦', 'One.', '¦', 'Two.', '¦']],
    ['after emphasis that is still open', 'So **very¦ bold** a claim.\n\nNext.', ['So **very bold** a claim.', '¦', 'Next.']],
    ['after code in a line', 'Run `a¦b` so.\n\nNext.', ['Run `ab` so.', '¦', 'Next.']],
    ['after a link', 'See [the¦ page](https://example.org).\n\nNext.', ['See [the page](https://example.org).', '¦', 'Next.']],
    ['after a code block', 'Look:\n\n```js\nlet a\n¦\nlet b\n```\n\nNext.', ['Look:\n\n```js\nlet a\n\nlet b\n```', '¦', 'Next.']],
    ['right behind a code block', '```js\nlet a\n```¦\n\nNext.', ['```js\nlet a\n```', '¦', 'Next.']],
    ['after a list', '- one\n- t¦wo\n- three\n\nNext.', ['- one\n- two\n- three', '¦', 'Next.']],
    ['after a list whose item has just ended', '1. one\n¦2. two\n\nNext.', ['1. one\n2. two', '¦', 'Next.']],
    ['after a table', '| a | b |\n|---|---|\n| 1 ¦| 2 |\n\nNext.', ['| a | b |\n|---|---|\n| 1 | 2 |', '¦', 'Next.']],
    ['after a table that has only a head', '| a | b |\n¦|---|---|\n| 1 | 2 |\n\nNext.', ['| a | b |\n|---|---|\n| 1 | 2 |', '¦', 'Next.']],
    ['after a formula', '$$\nx = ¦1\n$$\n\nNext.', ['$$\nx = 1\n$$', '¦', 'Next.']],
    ['after a heading', '## A ¦title\n\nNext.', ['## A title', '¦', 'Next.']],
    ['after a quotation', '> one\n> t¦wo\n\nNext.', ['> one\n> two', '¦', 'Next.']],
    ['in a code block that never ends', '```\nlet a¦\nlet b', ['```\nlet a\nlet b', '¦']],
    ['behind Windows’ line ends', 'One.\r\n\r\n¦Two.', ['One.', '¦', 'Two.']],
    ['behind signs of two units', '🌕🌖 One.\n\n¦Two.', ['🌕🌖 One.', '¦', 'Two.']],
  ])('%s', (_, marked, pieces) => expect(shown(marked)).toEqual(pieces))

  test.each([-5, Number.NaN, 1e9, 2.5])('even where the place is nonsense: %s', (at) => {
    const { pieces } = cutIntoPieces(NO_CUTS, 'One. Two.', [act('a', 'time', { at })])
    expect(pieces.filter((piece) => piece.kind === 'acts')).toHaveLength(1)
  })
})

test('what streams in comes out as what is stored', () => {
  const content = 'First.\n\n```js\nlet a = 1\n\nlet b = 2\n```\n\n- one\n- two\n\nThe end.'
  const acts = [act('a', 'time', { at: 8 }), act('b', 'time', { at: 25 }), act('c', 'time', { at: 48 }), act('d', 'time', { at: content.length })]
  let cuts = NO_CUTS
  for (let length = 0; length <= content.length; length += 1) {
    cuts = cutIntoPieces(cuts, content.slice(0, length), acts.filter(({ at }) => at <= length)).cuts
  }
  expect(cutIntoPieces(cuts, content, acts).pieces).toEqual(cutIntoPieces(NO_CUTS, content, acts).pieces)
})

test('a long answer with many acts is cut once, not with every token', () => {
  const paragraph = 'A sentence that goes on for a while. '.repeat(8)
  let content = ''
  const acts = []
  for (let index = 0; index < 200; index += 1) {
    content += `${paragraph}\n\n`
    acts.push(act(`a${index}`, 'time', { at: content.length }))
  }
  const { cuts } = cutIntoPieces(NO_CUTS, content, acts)
  const grown = `${content}And more.`
  const settled = cutIntoPieces(cuts, grown, acts).cuts
  // After the first call, every cut is found among the settled ones.
  expect(settled.settled).toHaveLength(200)
  expect(cutIntoPieces(settled, `${grown} And more.`, acts).cuts.settled).toEqual(settled.settled)
})
