/** Returns a name such as `Firefox on Linux` for a user agent. */
export function browserName(agent: string): string {
  const browser =
    [
      ['Firefox', /Firefox\//],
      ['Edge', /Edg\//],
      ['Opera', /OPR\//],
      ['Chromium', /Chrom(?:e|ium)\//],
      ['Safari', /Safari\//],
    ].find(([, sign]) => (sign as RegExp).test(agent))?.[0] ?? 'A browser'
  const system =
    [
      ['Android', /Android/],
      ['iPhone', /iPhone/],
      ['iPad', /iPad/],
      ['Windows', /Windows/],
      ['macOS', /Mac OS X/],
      ['Linux', /Linux/],
    ].find(([, sign]) => (sign as RegExp).test(agent))?.[0] ?? null
  return system ? `${String(browser)} on ${String(system)}` : String(browser)
}
