/** Goes to another site in this tab. An address that is not one of the web is not followed. */
export function leave(url: string): void {
  const web = URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol)
  if (!web) throw new Error('The address to go to is not one of the web, so it was not opened.')
  window.location.assign(url)
}

/** The page as the server has it now. */
export function reload(): void {
  window.location.reload()
}
