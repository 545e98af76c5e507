/**
 * Returns the one-time code in the fragment of an address: `#code=…`, also among other parameters as in
 * `#a=1&code=…`.
 */
export function codeIn(fragment: string): string | null {
  const code = new URLSearchParams(fragment.replace(/^#/, '')).get('code')
  return code === null || code === '' ? null : code
}

/** Removes the code from the address and the history, before anything else can see it. */
export function takeCode(): string | null {
  const code = codeIn(window.location.hash)
  if (code !== null) window.history.replaceState(null, '', window.location.pathname)
  return code
}
