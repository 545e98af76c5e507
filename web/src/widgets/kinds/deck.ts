/** The state of a flashcard deck. Its functions are pure, so that the rules are in one place and testable. */
export interface Deck {
  /** The index of the card at each position. */
  order: number[]
  at: number
  known: ReadonlySet<number>
}

export function newDeck(size: number): Deck {
  return { order: Array.from({ length: size }, (_, index) => index), at: 0, known: new Set() }
}

export function cardOf({ order, at }: Deck): number {
  return order[at] ?? 0
}

export function isLearned({ order, known }: Deck): boolean {
  return known.size === order.length
}

export function turned(deck: Deck, by: 1 | -1): Deck {
  const size = deck.order.length
  return { ...deck, at: (deck.at + by + size) % size }
}

/** Records an answer and moves on. Known cards do not come up again; the others do, in turn. */
export function answered(deck: Deck, knows: boolean): Deck {
  const known = new Set(deck.known)
  if (knows) known.add(cardOf(deck))
  else known.delete(cardOf(deck))
  const size = deck.order.length
  for (let step = 1; step <= size; step += 1) {
    const at = (deck.at + step) % size
    if (!known.has(deck.order[at] ?? 0)) return { ...deck, known, at }
  }
  return { ...deck, known }
}

export function shuffled(deck: Deck, random: () => number): Deck {
  const order = [...deck.order]
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const card = order[last] as number
    order[last] = order[other] as number
    order[other] = card
  }
  const first = order.findIndex((card) => !deck.known.has(card))
  return { ...deck, order, at: Math.max(0, first) }
}
