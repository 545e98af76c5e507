import { describe, expect, test } from 'vitest'
import { type DraftFile, FileTrouble, isText, LIMITS, readDraftFile, limitTrouble, uploads } from './files'

const bytes = (...values: number[]) => Uint8Array.from(values)

function draft(size: number): DraftFile {
  return { id: 'x', name: 'a.txt', mime: 'text/plain', bytes: size, kind: 'text', data: '', preview: null }
}

describe('a file', () => {
  test.each([
    ['plain words', new TextEncoder().encode('Grüße\n'), true],
    ['nothing', bytes(), true],
    ['a zero byte', bytes(65, 0, 66), false],
    ['broken UTF-8', bytes(0xff, 0xfe, 65), false],
  ])('with %s is told from binary', (_name, content, text) => expect(isText(content)).toBe(text))

  test('of text is read as it is', async () => {
    const read = await readDraftFile(new File(['fn main() {}'], 'main.rs', { type: '' }))
    expect(read).toMatchObject({ name: 'main.rs', mime: 'text/plain', kind: 'text', data: btoa('fn main() {}') })
    expect(uploads([read])).toEqual([{ name: 'main.rs', mime: 'text/plain', data: btoa('fn main() {}') }])
  })

  test('that she cannot read is refused in words', async () => {
    const binary = new File([bytes(0x7f, 0x45, 0, 1)], 'program')
    await expect(readDraftFile(binary)).rejects.toThrow(/neither text nor a picture/)
    const large = new File(['x'.repeat(LIMITS.text + 1)], 'log.txt', { type: 'text/plain' })
    await expect(readDraftFile(large)).rejects.toThrow(FileTrouble)
  })

  test('is one too many, or too much together', () => {
    expect(limitTrouble(Array.from({ length: LIMITS.files }, () => draft(1)))).toBeNull()
    expect(limitTrouble(Array.from({ length: LIMITS.files + 1 }, () => draft(1)))).toMatch(/up to 10 files/)
    expect(limitTrouble([draft(LIMITS.total), draft(1)])).toMatch(/Together/)
  })
})
