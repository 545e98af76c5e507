/** The record's own entry of this name: `constructor`, which every object inherits, is none. */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
