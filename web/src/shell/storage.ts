/**
 * Stores a value in the browser's storage. If that is full or disabled, values last only as long as the page.
 */
export function storeValue(key: string, value: string | null): void {
  write(() => localStorage, key, value)
}

export function storedValue(key: string): string | null {
  return read(() => localStorage, key)
}

/** Stores a value for this tab alone: it survives a reload, and other tabs do not see it. */
export function storeInTab(key: string, value: string | null): void {
  write(() => sessionStorage, key, value)
}

export function storedInTab(key: string): string | null {
  return read(() => sessionStorage, key)
}

function write(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(`perigee.${key}`)
    else storage().setItem(`perigee.${key}`, value)
  } catch {
    // Nothing to do: the page works without storage.
  }
}

function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(`perigee.${key}`)
  } catch {
    return null
  }
}
