import type { CodeFile, FileChangeKind } from '@/api/protocol.gen'
import { best } from './fuzzy'

/** A row of the tree. */
export interface Row {
  path: string
  name: string
  kind: 'folder' | 'file'
  depth: number
  open: boolean
  /** Its position among its siblings, from 1, and their number. */
  position: number
  of: number
  /** The indices of the matched letters in the path. */
  marked: number[]
}

interface Child {
  path: string
  name: string
  kind: Row['kind']
}

/** The children of each folder, folders first. The root is the folder with the empty name. */
export type Tree = ReadonlyMap<string, readonly Child[]>

export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export function buildTree(files: readonly CodeFile[]): Tree {
  const children = new Map<string, Child[]>([['', []]])
  const folder = (path: string): Child[] => {
    const known = children.get(path)
    if (known) return known
    const made: Child[] = []
    children.set(path, made)
    folder(folderOf(path)).push({ path, name: nameOf(path), kind: 'folder' })
    return made
  }
  for (const { path } of files) folder(folderOf(path)).push({ path, name: nameOf(path), kind: 'file' })
  const rank = ({ kind }: Child) => (kind === 'folder' ? 0 : 1)
  for (const list of children.values()) list.sort((one, other) => rank(one) - rank(other) || byName.compare(one.name, other.name))
  return children
}

/** Returns the visible rows. Closed folders are not descended into. */
export function rowsOf(tree: Tree, open: ReadonlySet<string>): Row[] {
  const rows: Row[] = []
  const add = (folder: string, depth: number) => {
    const list = tree.get(folder) ?? []
    list.forEach((child, index) => {
      const isOpen = child.kind === 'folder' && open.has(child.path)
      rows.push({ ...child, depth, open: isOpen, position: index + 1, of: list.length, marked: [] })
      if (isOpen) add(child.path, depth + 1)
    })
  }
  add('', 0)
  return rows
}

const MOST_FOUND = 300

/** Returns the files whose path matches the query, best first, without their folders. */
export function searched(files: readonly CodeFile[], query: string): Row[] {
  const found = best(files, ({ path }) => path, query, MOST_FOUND)
  return found.map(({ item, at }, index) => ({ path: item.path, name: nameOf(item.path), kind: 'file', depth: 0, open: false, position: index + 1, of: found.length, marked: at }))
}

/** Returns the folders above a path. */
export function ancestors(path: string): string[] {
  const found: string[] = []
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at))
  return found
}

/** Returns the changes of a proposal by file. Folders with changes in them are marked too. */
export function marks(changes: readonly { path: string; kind: FileChangeKind }[]): ReadonlyMap<string, FileChangeKind> {
  const found = new Map<string, FileChangeKind>()
  for (const { path, kind } of changes) {
    found.set(path, kind)
    for (const folder of ancestors(path)) if (!found.has(folder)) found.set(folder, 'changed')
  }
  return found
}

export type Tick = 'all' | 'some' | 'none'

const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** Returns how much of a path is included by these chosen ones; none chosen means all. */
export function tickOf(path: string, chosen: readonly string[]): Tick {
  if (chosen.length === 0 || chosen.some((one) => within(path, one))) return 'all'
  return chosen.some((one) => within(one, path)) ? 'some' : 'none'
}

/** Toggles a path. Excluding a folder excludes everything in it, and keeps its siblings. */
export function ticked(tree: Tree, chosen: readonly string[], path: string): string[] {
  const others = chosen.filter((one) => !within(one, path))
  if (tickOf(path, chosen) !== 'all') return normalised(tree, [...others, path])
  const kept = new Set(others)
  let from = ''
  if (chosen.length > 0) {
    from = others.find((one) => within(path, one)) ?? path
    kept.delete(from)
    if (from === path) return [...kept].sort()
  }
  // Descends from the included folder to the excluded path, keeping the siblings.
  for (const folder of [from, ...ancestors(path).filter((one) => within(one, from) && one !== from)]) {
    for (const child of tree.get(folder) ?? []) if (!within(path, child.path)) kept.add(child.path)
  }
  return [...kept].sort()
}

/** Replaces completely chosen folders by the folder itself, and the complete root by an empty list. */
function normalised(tree: Tree, chosen: string[]): string[] {
  const kept = new Set(chosen)
  const folders = [...new Set(chosen.flatMap((path) => ancestors(path)))].sort((one, other) => other.length - one.length)
  for (const folder of [...folders, '']) {
    const list = tree.get(folder) ?? []
    if (list.length === 0 || !list.every((child) => kept.has(child.path))) continue
    for (const child of list) kept.delete(child.path)
    if (folder === '') return []
    kept.add(folder)
  }
  return [...kept].sort()
}
