import { type Field, GAP, type Rect, type Size } from './geometry'

/** A panel that wants a place. */
export interface Guest {
  id: string
  /** As large as it likes to be, and as small as it can be used. */
  size: Size
  least: Size
  /** On which side of her it likes to stand. */
  side: 'left' | 'right'
}

interface Column {
  x: number
  width: number
  /** Towards which of its edges its panels lean. */
  side: 'left' | 'right'
  guests: Guest[]
}

/**
 * Gives each panel a place beside her: in columns at the two edges, clear of her face, of each other and of what is
 * `taken` already. Where there is less room than they need they become smaller, and where even that does not help,
 * the last ones overlap, beside her face still.
 */
export function arrange(guests: Guest[], field: Field, taken: Rect[] = []): Record<string, Rect> {
  const columns = columnsOf(field)
  share(guests, columns, field, taken)
  return Object.fromEntries(columns.flatMap((column) => fill(column, field, taken)))
}

/** The room on both sides of her face. */
function columnsOf({ x, width, face }: Field): [Column, Column] {
  const left = Math.max(0, face.x - GAP - x)
  const right = Math.max(0, x + width - (face.x + face.width + GAP))
  return [
    { x, width: left, side: 'left', guests: [] },
    { x: x + width - right, width: right, side: 'right', guests: [] },
  ]
}

/** Each goes where it likes to be, unless that side is fuller by more than it needs. */
function share(guests: Guest[], [left, right]: [Column, Column], field: Field, taken: Rect[]): void {
  const load = new Map<Column, number>([left, right].map((column) => [column, field.height - free(column, field, taken).reduce((sum, slot) => sum + slot.height, 0)]))
  for (const guest of guests) {
    const liked = guest.side === 'left' ? left : right
    const other = liked === left ? right : left
    const crowded = (load.get(liked) ?? 0) + guest.size.height > field.height && (load.get(other) ?? 0) + guest.size.height / 2 < (load.get(liked) ?? 0)
    const column = crowded ? other : liked
    column.guests.push(guest)
    load.set(column, (load.get(column) ?? 0) + guest.size.height + GAP)
  }
}

interface Slot {
  y: number
  height: number
}

/** The stretches of a column where nothing stands. */
function free({ x, width }: Pick<Column, 'x' | 'width'>, field: Field, taken: Rect[]): Slot[] {
  const blocked = taken.filter((rect) => rect.x < x + width + GAP && x < rect.x + rect.width + GAP).sort((one, other) => one.y - other.y)
  const slots: Slot[] = []
  let y = field.y
  for (const rect of blocked) {
    if (rect.y - GAP > y) slots.push({ y, height: rect.y - GAP - y })
    y = Math.max(y, rect.y + rect.height + GAP)
  }
  const bottom = field.y + field.height
  if (bottom > y) slots.push({ y, height: bottom - y })
  return slots
}

/** Puts the guests of a column one below the other into its free stretches. */
function fill(column: Column, field: Field, taken: Rect[]): [string, Rect][] {
  const slots = free(column, field, taken)
  const rows = new Map<Slot, Guest[]>()
  const crowd: Guest[] = []
  for (const guest of column.guests) {
    const slot = slots.find((candidate) => room(candidate, rows.get(candidate) ?? []) >= guest.least.height)
    if (slot) rows.set(slot, [...(rows.get(slot) ?? []), guest])
    else crowd.push(guest)
  }
  const placed = [...rows].flatMap(([slot, guests]) => stack(column, slot, guests))
  return [...placed, ...crowd.map((guest, index): [string, Rect] => [guest.id, overlapping(column, field, guest, index)])]
}

/** What is left of a stretch when everybody in it is as small as can be. */
function room(slot: Slot, guests: Guest[]): number {
  return slot.height - guests.reduce((sum, { least }) => sum + least.height + GAP, 0)
}

function stack(column: Column, slot: Slot, guests: Guest[]): [string, Rect][] {
  const gaps = GAP * (guests.length - 1)
  const wanted = guests.reduce((sum, { size }) => sum + size.height, 0)
  const least = guests.reduce((sum, { least: small }) => sum + small.height, 0)
  const spare = slot.height - gaps - least
  // Everybody gives up the same part of what they have beyond the least.
  const part = wanted > least ? Math.min(1, spare / (wanted - least)) : 1
  let y = slot.y
  return guests.map((guest): [string, Rect] => {
    const height = Math.floor(guest.least.height + (guest.size.height - guest.least.height) * Math.max(0, part))
    const rect = { ...across(column, guest), y, height }
    y += height + GAP
    return [guest.id, rect]
  })
}

function across({ x, width, side }: Column, guest: Guest): { x: number; width: number } {
  const own = Math.min(guest.size.width, width)
  return { x: side === 'left' ? x : x + width - own, width: own }
}

/** Each a little lower than the one before, so that every head can be reached. */
function overlapping(column: Column, field: Field, guest: Guest, index: number): Rect {
  const height = Math.min(guest.least.height, field.height)
  const step = ((index + 1) * 40) % Math.max(1, field.height - height + 1)
  return { ...across(column, guest), y: Math.round(field.y + step), height }
}
