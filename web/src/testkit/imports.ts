/** The source files of the app by path, as in `chat/slice.ts`. */
export type Sources = ReadonlyMap<string, string>

/** An import of any kind: of values or types, static or on demand, also as a type or in a re-export. */
const IMPORT = /(?:\bfrom\s+|\bimport\s+|\bimport\()\s*'((?:@|\.{1,2})(?:\/[^']*)?)'/g

/** Returns the paths of the files that a file imports, without those from packages. */
export function importsOf(path: string, sources: Sources): string[] {
  const found = [...(sources.get(path) ?? '').matchAll(IMPORT)].flatMap(([, named = '']) => resolved(path, named, sources) ?? [])
  return [...new Set(found)]
}

function resolved(from: string, named: string, sources: Sources): string | null {
  const base = named.startsWith('@') ? '' : from.slice(0, Math.max(0, from.lastIndexOf('/')))
  const steps: string[] = base === '' ? [] : base.split('/')
  for (const step of named.replace(/^@\/?/, '').split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  const path = steps.join('/')
  const inside = path === '' ? '' : `${path}/`
  return [path, `${path}.ts`, `${path}.tsx`, `${inside}index.ts`, `${inside}index.tsx`].find((one) => sources.has(one)) ?? null
}

/** Returns a chain of imports that leads back to its beginning, or null if there is none. */
export function importCycle(sources: Sources): string[] | null {
  const done = new Set<string>()
  const chain: string[] = []
  const follow = (path: string): string[] | null => {
    if (done.has(path)) return null
    const at = chain.indexOf(path)
    if (at >= 0) return [...chain.slice(at), path]
    chain.push(path)
    for (const next of importsOf(path, sources)) {
      const cycle = follow(next)
      if (cycle) return cycle
    }
    chain.pop()
    done.add(path)
    return null
  }
  for (const path of sources.keys()) {
    const cycle = follow(path)
    if (cycle) return cycle
  }
  return null
}
