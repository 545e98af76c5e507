/** Navigates to another site in this tab. Throws if the address is not an HTTP or HTTPS one. */
export function leave(url: string): void {
  const web = URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol)
  if (!web) throw new Error('This is not a web address, so it was not opened.')
  window.location.assign(url)
}

/** Loads the page again from the server. */
export function reload(): void {
  window.location.reload()
}
