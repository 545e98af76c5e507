/** The browser's storage, which may be full or switched off: then things last as long as the page. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`perigee.${key}`)
    else localStorage.setItem(`perigee.${key}`, value)
  } catch {
    // Nothing to do: the page goes on without.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`perigee.${key}`)
  } catch {
    return null
  }
}
