// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { FactChange, FactChangeKind, TimelineEntry } from '@/api/protocol.gen'
import { fact } from '@/testkit/memory'
import { historyChanges, timelineDays } from './pastTexts'

const at = (minute: number) => `2026-05-02T10:0${minute}:00Z`
const entry = (minute: number, kind: FactChangeKind, about: TimelineEntry['fact'], before: string | null = null): TimelineEntry => ({ at: at(minute), kind, fact: about, before })
const told = (...entries: TimelineEntry[]) =>
  timelineDays([{ day: '2026-05-02', entries }]).flatMap((day) => day.items.map(({ entry: { kind }, text, before, inPlaceOf }) => [kind, text, before, inPlaceOf?.map(({ text: once }) => once) ?? null]))

describe('the days', () => {
  test('tell what was said at the time, and not what is said today', () => {
    const bees = fact('a', 'Keeps three hives.')
    expect(told(entry(3, 'edited', bees, 'Keeps two hives.'), entry(2, 'repeated', bees, 'Keeps two hives.'), entry(1, 'edited', bees, 'Keeps bees.'), entry(0, 'learned', bees))).toEqual([
      ['edited', 'Keeps three hives.', 'Keeps two hives.', null],
      ['repeated', 'Keeps two hives.', null, null],
      ['edited', 'Keeps two hives.', 'Keeps bees.', null],
      ['learned', 'Keeps bees.', null, null],
    ])
  })

  test('know that words which came back had been others between', () => {
    const tea = fact('a', 'Likes tea.')
    // The server omits `before` if it equals today's text.
    expect(told(entry(2, 'edited', tea, 'Likes coffee.'), entry(1, 'edited', tea), entry(0, 'learned', tea))).toEqual([
      ['edited', 'Likes tea.', 'Likes coffee.', null],
      ['edited', 'Likes coffee.', 'Likes tea.', null],
      ['learned', 'Likes tea.', null, null],
    ])
  })

  test('tell once what was learned in place of another, with the words of then', () => {
    const vienna = fact('v', 'Lives in Vienna, Josefstadt.')
    const lyon = fact('l', 'Lives in Lyon.', { status: 'superseded', supersededBy: 'v' })
    expect(told(entry(2, 'edited', vienna, 'Lives in Vienna.'), entry(1, 'replaced', vienna), entry(1, 'superseded', lyon), entry(1, 'learned', vienna), entry(0, 'learned', lyon))).toEqual([
      ['edited', 'Lives in Vienna, Josefstadt.', 'Lives in Vienna.', null],
      ['learned', 'Lives in Vienna.', null, ['Lives in Lyon.']],
      ['learned', 'Lives in Lyon.', null, null],
    ])
  })

  test('name all whose place was taken, and keep what they cannot assign', () => {
    const one = fact('x', 'One.', { supersededBy: 'n' })
    const two = fact('y', 'Two.', { supersededBy: 'n' })
    const other = fact('z', 'Other.', { supersededBy: 'm' })
    const fresh = fact('n', 'New.')
    expect(told(entry(1, 'replaced', fresh), entry(1, 'superseded', two), entry(1, 'replaced', fresh), entry(1, 'superseded', one), entry(1, 'superseded', other))).toEqual([
      ['replaced', 'New.', null, ['Two.', 'One.']],
      ['superseded', 'Other.', null, null],
    ])
  })
})

describe('the history of a fact', () => {
  const change = (minute: number, kind: FactChangeKind, before: string | null, otherContent: string | null = null): FactChange => ({ at: at(minute), kind, before, changed: [], other: null, otherContent })

  test('strikes out words only where they changed, and begins in one line', () => {
    const changes = [change(0, 'learned', null), change(0, 'replaced', null, 'Lyon.'), change(1, 'repeated', 'Vienna.'), change(2, 'edited', 'Vienna.')]
    expect(historyChanges(changes, 'Vienna, Josefstadt.').map(({ kind, before, otherContent, tookPlace }) => [kind, before, otherContent, tookPlace])).toEqual([
      ['learned', null, 'Lyon.', true],
      ['repeated', null, null, false],
      ['edited', 'Vienna.', null, false],
    ])
  })
})
