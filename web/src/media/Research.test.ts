import { expect, test } from 'vitest'
import { readResearch, type Source } from './read'
import { withSources } from './Research'

const source = (url: string | null, title = 'A title'): Source => ({ url, title, site: '', text: '', age: '' })

test('marks are defined before the text, so that it cannot redefine them', () => {
  const text = withSources('So it is [1].\n\n[1]: https://evil.example', [source('https://good.example/')])
  expect(text.indexOf('good.example')).toBeLessThan(text.indexOf('evil.example'))
})

test('several marks at once are several marks', () => {
  expect(withSources('a [1, 2] b [3][4] c', [])).toBe('a [1]\u200a[2] b [3]\u200a[4] c')
})

test.each([
  ['So it is [1](https://evil.example).', 'So it is [1]\u200a(https://evil.example).'],
  ['So it is [1][x].', 'So it is [1]\u200a[x].'],
  ['So it is [ **2** ](https://evil.example).', 'So it is [ **2** ]\u200a(https://evil.example).'],
  ['So it is [1, 2](https://evil.example).', 'So it is [1]\u200a[2]\u200a(https://evil.example).'],
  ['[3]: https://evil.example', '[3]\u200a: https://evil.example'],
  ['See [the 12 rules](https://ok.example) and [123](https://ok.example).', 'See [the 12 rules](https://ok.example) and [123](https://ok.example).'],
])('a mark is led nowhere by the text: %s', (text, apart) => expect(withSources(text, [])).toBe(apart))

test('a source that cannot be read keeps its number', () => {
  expect(readResearch({ summary: 'So [2].', sources: [{}, { url: 'https://b.example/' }] })).toMatchObject({ sources: { shown: [{ url: null }, { url: 'https://b.example/' }] } })
})

test('a source without an address has no link, and a title no way out of its quotes', () => {
  expect(withSources('x [1]', [source(null)])).toBe('x [1]')
  expect(withSources('x', [source('https://a.example/', 'a" onclick="b\n[2]: <javascript:x>')])).toBe(
    '[1]: <https://a.example/> "Source 1: a  onclick= b [2]:  javascript:x "\n\nx',
  )
})
