/** The browser's storage, which may be full or switched off: then things last as long as the page. */
export function remember(key: string, value: string | null): void {
  write(() => localStorage, key, value)
}

export function recall(key: string): string | null {
  return read(() => localStorage, key)
}

/** What is of this tab alone: it is there after a reload, and other tabs know nothing of it. */
export function rememberHere(key: string, value: string | null): void {
  write(() => sessionStorage, key, value)
}

export function recallHere(key: string): string | null {
  return read(() => sessionStorage, key)
}

function write(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(`perigee.${key}`)
    else storage().setItem(`perigee.${key}`, value)
  } catch {
    // Nothing to do: the page goes on without.
  }
}

function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(`perigee.${key}`)
  } catch {
    return null
  }
}
