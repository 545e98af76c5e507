/** A part of a program's output: plain text, or a file location. */
export interface OutputPart {
  text: string
  location?: { path: string; line: number }
}

/**
 * File locations such as `src/main.rs:4:9`, `src/a.ts(3,1)` and `File "a.py", line 3`. The length is bounded
 * and the match begins at a word, to prevent catastrophic backtracking.
 */
const PLACE = /(?:File "([^"\n]{1,400})", line (\d{1,8}))|(?<![\w@+~./\\-])([\w@+~./\\-]{1,400}\.[A-Za-z][\w+-]{0,9})(?::(\d{1,8})(?::\d{1,8})?|\((\d{1,8})(?:,\d{1,8})?\))/g

// Terminal escape sequences for colours and cursor movement.
const ESCAPES = /\u001b(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** Returns the output without terminal escape sequences. Of an overwritten line, the last version remains. */
export function unescaped(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replace(/\r+$/, ''))
    .join('\n')
}

/** Splits output into text and the locations in files of the workspace. */
export function outputParts(text: string, root: string, known: (path: string) => boolean): OutputPart[] {
  const parts: OutputPart[] = []
  let from = 0
  for (const found of text.matchAll(PLACE)) {
    const path = relative(found[1] ?? found[3] ?? '', root, known)
    const line = Number(found[2] ?? found[4] ?? found[5])
    if (path === null || !(line > 0)) continue
    if (found.index > from) parts.push({ text: text.slice(from, found.index) })
    parts.push({ text: found[0], location: { path, line } })
    from = found.index + found[0].length
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) })
  return parts
}

/** Returns the path relative to the workspace, or null if it is outside. */
export function relative(path: string, root: string, known: (path: string) => boolean): string | null {
  const plain = path.replaceAll('\\', '/')
  const base = `${root.replaceAll('\\', '/').replace(/\/+$/, '')}/`
  const short = (plain.startsWith(base) ? plain.slice(base.length) : plain).replace(/^(?:\.\/)+/, '')
  return known(short) ? short : null
}
