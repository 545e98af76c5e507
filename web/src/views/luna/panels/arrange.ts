import type { Size } from '@/design/size'
import { type Field, GAP, type Rect } from './geometry'

/** A panel to be placed. */
export interface PlaceablePanel {
  id: string
  /** The preferred size, and the smallest usable one. */
  size: Size
  least: Size
  /** The preferred side of the avatar. */
  side: 'left' | 'right'
}

interface Column {
  x: number
  width: number
  /** The edge to which its panels are aligned. */
  side: 'left' | 'right'
}

/** The panels side by side in one row. */
type Row = PlaceablePanel[]

interface Slot {
  y: number
  height: number
}

/**
 * Places panels beside the avatar: in columns at the two edges, clear of its face, of each other and of the
 * `taken` rectangles. If there is less room than preferred, panels shrink, small ones share a row, and those
 * for which there is no room are left out.
 */
export function arrange(panels: PlaceablePanel[], field: Field, taken: Rect[] = []): Record<string, Rect> {
  const [left, right] = columnsOf(field)
  const kept = fitting(panels, [left, right], field, taken)
  return Object.fromEntries([left, right].flatMap((column) => fill(column, kept.get(column) ?? [], field, taken)))
}

/** Returns the space on both sides of the avatar's face. */
function columnsOf({ x, width, face }: Field): [Column, Column] {
  const left = Math.max(0, face.x - GAP - x)
  const right = Math.max(0, x + width - (face.x + face.width + GAP))
  return [
    { x, width: left, side: 'left' },
    { x: x + width - right, width: right, side: 'right' },
  ]
}

/**
 * Assigns panels to the sides: the preferred one, or the other if that is full. Earlier panels choose first.
 */
function fitting(panels: PlaceablePanel[], [left, right]: [Column, Column], field: Field, taken: Rect[]): Map<Column, PlaceablePanel[]> {
  const chosen = new Map<Column, PlaceablePanel[]>([
    [left, []],
    [right, []],
  ])
  const goes = (column: Column, panel: PlaceablePanel) => fits(column, [...(chosen.get(column) ?? []), panel], field, taken)
  const squeeze = (column: Column, panel: PlaceablePanel) => likes(column, [...(chosen.get(column) ?? []), panel]) / Math.max(1, room(column, field, taken))
  for (const panel of panels) {
    const [liked, other] = panel.side === 'left' ? [left, right] : [right, left]
    // If the preferred side would have to shrink its panels, the other is used if it shrinks them less.
    const spills = goes(other, panel) && squeeze(liked, panel) > Math.max(1, squeeze(other, panel))
    const column = goes(liked, panel) && !spills ? liked : goes(other, panel) ? other : null
    if (column) chosen.get(column)?.push(panel)
  }
  return chosen
}

function fits(column: Column, panels: PlaceablePanel[], field: Field, taken: Rect[]): boolean {
  return panels.every(({ least }) => least.width <= column.width) && seat(rowsOf(column, panels), free(column, field, taken)).crowd.length === 0
}

const room = (column: Column, field: Field, taken: Rect[]) => free(column, field, taken).reduce((sum, slot) => sum + slot.height, 0)
const likes = (column: Column, panels: PlaceablePanel[]) => rowsOf(column, panels).reduce((sum, row) => sum + heightOf(row, 'size') + GAP, -GAP)

const heightOf = (row: Row, by: 'size' | 'least') => Math.max(...row.map((panel) => panel[by].height))

/** The greatest height, in pixels, of panels that may share a row. */
const LOW = 220

/** Arranges panels below each other, with small ones side by side if they fit. */
function rowsOf(column: Column, panels: PlaceablePanel[]): Row[] {
  const rows: Row[] = []
  for (const panel of panels) {
    const mate = rows.find((row) => row.length === 1 && isLow(row[0]) && isLow(panel) && (row[0]?.size.width ?? 0) + GAP + panel.least.width <= column.width)
    if (mate) mate.push(panel)
    else rows.push([panel])
  }
  return rows
}

const isLow = (panel: PlaceablePanel | undefined) => panel !== undefined && panel.size.height <= LOW

/** Returns the free vertical ranges of a column. */
function free({ x, width }: Column, field: Field, taken: Rect[]): Slot[] {
  const blocked = taken.filter((rect) => rect.x < x + width && x < rect.x + rect.width).sort((one, other) => one.y - other.y)
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

/** Assigns each row to the first range that has room for it at its smallest size. */
function seat(rows: Row[], slots: Slot[]): { seats: Map<Slot, Row[]>; crowd: Row[] } {
  const seats = new Map<Slot, Row[]>()
  const crowd: Row[] = []
  for (const row of rows) {
    const used = (slot: Slot) => (seats.get(slot) ?? []).reduce((sum, other) => sum + heightOf(other, 'least') + GAP, 0)
    const slot = slots.find((candidate) => candidate.height - used(candidate) >= heightOf(row, 'least'))
    if (slot) seats.set(slot, [...(seats.get(slot) ?? []), row])
    else crowd.push(row)
  }
  return { seats, crowd }
}

function fill(column: Column, panels: PlaceablePanel[], field: Field, taken: Rect[]): [string, Rect][] {
  const rows = rowsOf(column, panels)
  // All panels of a column are as wide as the widest, so that the column has a straight edge.
  const width = Math.min(column.width, Math.max(0, ...rows.map((row) => row.reduce((sum, { size }) => sum + size.width + GAP, -GAP))))
  const lane = { x: column.side === 'left' ? column.x : column.x + column.width - width, width }
  return [...seat(rows, free(column, field, taken)).seats].flatMap(([slot, seated]) => stack(lane, slot, seated))
}

function stack(lane: Pick<Rect, 'x' | 'width'>, slot: Slot, rows: Row[]): [string, Rect][] {
  const sum = (by: 'size' | 'least') => rows.reduce((all, row) => all + heightOf(row, by), 0)
  const spare = slot.height - GAP * (rows.length - 1) - sum('least')
  const wish = sum('size') - sum('least')
  // Every panel gives up the same fraction of its preferred height beyond the minimum.
  const part = wish > 0 ? Math.min(1, spare / wish) : 1
  let y = slot.y
  return rows.flatMap((row) => {
    const least = heightOf(row, 'least')
    const height = Math.floor(least + (heightOf(row, 'size') - least) * part)
    const placed = beside(lane, row).map(([id, across]): [string, Rect] => [id, { ...across, y, height }])
    y += height + GAP
    return placed
  })
}

/** Splits the width of a row: the first panel gets its preferred width, the second the rest. */
function beside({ x, width }: Pick<Rect, 'x' | 'width'>, [first, second]: Row): [string, Pick<Rect, 'x' | 'width'>][] {
  if (!first) return []
  if (!second) return [[first.id, { x, width }]]
  const rest = Math.max(second.least.width, Math.min(second.size.width, width - GAP - first.size.width))
  const own = width - GAP - rest
  return [
    [first.id, { x, width: own }],
    [second.id, { x: x + own + GAP, width: rest }],
  ]
}
