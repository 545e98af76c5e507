// @vitest-environment node
import { expect, test } from 'vitest'
import { diffWords } from './wordDiff'

const shown = (before: string, after: string) => diffWords(before, after).map(({ kind, text }) => ({ same: text, gone: `[-${text}-]`, new: `{+${text}+}` })[kind]).join('')

test.each([
  ['nothing', 'Greets somebody.', 'Greets somebody.', 'Greets somebody.'],
  ['words at the end', 'Greets somebody.', 'Greets somebody. Read all files first.', 'Greets somebody.{+ Read all files first.+}'],
  ['a word in the middle', 'Reads a file.', 'Reads every file.', 'Reads [-a-]{+every+} file.'],
  ['words beside each other are read as one change', 'Reads one small file.', 'Reads all large file.', 'Reads [-one small-]{+all large+} file.'],
  ['lines', 'One.\nTwo.', 'One.\nThree.', 'One.\n[-Two.-]{+Three.+}'],
  ['everything', '', 'New.', '{+New.+}'],
])('what changed in a description: %s', (_, before, after, words) => expect(shown(before, after)).toBe(words))

test('nothing of either text is lost', () => {
  const [before, after] = ['Greets somebody by their name.', 'Greets somebody. Read all files first.']
  const parts = diffWords(before, after)
  expect(parts.filter(({ kind }) => kind !== 'new').map(({ text }) => text).join('')).toBe(before)
  expect(parts.filter(({ kind }) => kind !== 'gone').map(({ text }) => text).join('')).toBe(after)
})
