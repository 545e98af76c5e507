// @vitest-environment node
import { expect, test } from 'vitest'
import { answered, cardOf, isLearned, newDeck, shuffled, turned } from './deck'

test('what is known does not come up again, what is not does', () => {
  let deck = newDeck(3)
  deck = answered(deck, true)
  deck = answered(deck, false)
  deck = answered(deck, true)
  expect([cardOf(deck), isLearned(deck)]).toEqual([1, false])
  expect(isLearned(answered(deck, true))).toBe(true)
})

test('turning goes around, also over what is known', () => {
  expect(cardOf(turned(newDeck(3), -1))).toBe(2)
  expect(cardOf(turned(turned(newDeck(2), 1), 1))).toBe(0)
})

test('shuffling loses no card, and begins with one that is not known', () => {
  const deck = shuffled(answered(newDeck(20), true), () => 0.999)
  expect([...deck.order].sort((one, other) => one - other)).toEqual(newDeck(20).order)
  expect(deck.known.has(cardOf(deck))).toBe(false)
})
