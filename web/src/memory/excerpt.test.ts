// @vitest-environment node
import { expect, test } from 'vitest'
import { excerpt } from './excerpt'

test.each([
  ['what somebody said stays as it is', 'messages', 'My dog <3 is {called} Max & "Co".', 'My dog <3 is {called} Max & "Co".'],
  ['marks that somebody wrote stay, too', 'messages', 'Use <b>Max</b>.', 'Use <b>Max</b>.'],
  ['marks around parts of a prompt go', 'prompts', '<context>\nIt is Sunday.\n- The dog is Max.\n</context>\n\nHello', 'It is Sunday. - The dog is Max. Hello'],
  ['even where they are cut', 'prompts', '<summary kind="a">\nThe dog is Max.\n</summ', 'The dog is Max.'],
  ['a sum is no mark', 'prompts', 'if 1 < 2 and Max > 3', 'if 1 < 2 and Max > 3'],
  ['of JSON the sentences are left', 'messages', '[{"kind":"fact","id":"0aj330","text":"The dog is Max.","score":0.5,"who":""}]', 'The dog is Max.'],
  ['and words that are looked for', 'acts', '{"query":"Max","limit":5,"ids":["a","b"]}', 'Max'],
  ['where it is cut', 'facts', '{"id":12,"said":{"category":"relationship","content":"The dog is \\"Max\\" and li', 'The dog is "Max" and li'],
  ['where it is cut in a sign', 'acts', '{"text":"The dog\\nis M\\u00e4x \\u00', 'The dog is Mäx'],
  ['JSON within JSON is read as well', 'acts', JSON.stringify({ result: JSON.stringify({ note: 'Max eats fish' }) }), 'Max eats fish'],
  ['marks within it go', 'messages', '["<context>The dog is Max.</context>"]', 'The dog is Max.'],
  ['nothing is left of ids and numbers', 'acts', '{"id":"0aj330xh3mdrw","at":17}', ''],
])('%s', (_, place, example, words) => expect(excerpt(example, place, ['Max'])).toBe(words))

test('begins a little before the words', () => {
  const long = 'It is Sunday, the fifteenth of November, and it rains in Vienna while the dog called Max sleeps.'
  expect(excerpt(long, 'prompts', ['dog called max'])).toBe('… it rains in Vienna while the dog called Max sleeps.')
  expect(excerpt(long, 'prompts', ['zebra', ''])).toBe(long)
})
