/** The one-time code in an address's fragment: `#code=…`, also beside others as in `#a=1&code=…`. */
export function codeIn(fragment: string): string | null {
  const code = new URLSearchParams(fragment.replace(/^#/, '')).get('code')
  return code === null || code === '' ? null : code
}

/** Takes the code out of the address and of the history, before anything else can see it. */
export function takeCode(): string | null {
  const code = codeIn(window.location.hash)
  if (code !== null) window.history.replaceState(null, '', window.location.pathname)
  return code
}
