/** A part of what a program printed: words, or a place in a file that it names. */
export interface Printed {
  text: string
  place?: { path: string; line: number }
}

/** `src/main.rs:4:9`, `src/a.ts(3,1)`, `File "a.py", line 3`. No longer than a path can be, and from where a word begins: the pattern must not wander. */
const PLACE = /(?:File "([^"\n]{1,400})", line (\d{1,8}))|(?<![\w@+~./\\-])([\w@+~./\\-]{1,400}\.[A-Za-z][\w+-]{0,9})(?::(\d{1,8})(?::\d{1,8})?|\((\d{1,8})(?:,\d{1,8})?\))/g

// Colours and movements of a terminal, and the backspace that writes over.
const ESCAPES = /\u001b(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** What was printed without the signs that a terminal would act on. Of a line that was written over, the last is seen. */
export function unescaped(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replace(/\r+$/, ''))
    .join('\n')
}

/** The lines of what was printed, with the places in files of the workspace that they name. */
export function places(text: string, root: string, known: (path: string) => boolean): Printed[] {
  const parts: Printed[] = []
  let from = 0
  for (const found of text.matchAll(PLACE)) {
    const path = relative(found[1] ?? found[3] ?? '', root, known)
    const line = Number(found[2] ?? found[4] ?? found[5])
    if (path === null || !(line > 0)) continue
    if (found.index > from) parts.push({ text: text.slice(from, found.index) })
    parts.push({ text: found[0], place: { path, line } })
    from = found.index + found[0].length
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) })
  return parts
}

/** The path as the workspace has it; null where it is not of the workspace. */
export function relative(path: string, root: string, known: (path: string) => boolean): string | null {
  const plain = path.replaceAll('\\', '/')
  const base = `${root.replaceAll('\\', '/').replace(/\/+$/, '')}/`
  const short = (plain.startsWith(base) ? plain.slice(base.length) : plain).replace(/^(?:\.\/)+/, '')
  return known(short) ? short : null
}
