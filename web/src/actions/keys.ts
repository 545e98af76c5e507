/** True on Apple devices. In shortcuts such as `mod+shift+o`, `mod` is ⌘ there and Ctrl elsewhere. */
const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

const NAMES: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  shift: isMac ? '⇧' : 'Shift',
  alt: isMac ? '⌥' : 'Alt',
  arrowup: '↑',
  arrowdown: '↓',
  escape: 'Esc',
  enter: '↵',
  delete: 'Del',
}

export function keyNames(keys: string): string[] {
  return keys.split('+').map((key) => NAMES[key] ?? key.toUpperCase())
}

export function matches(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const mod = isMac ? event.metaKey : event.ctrlKey
  const other = isMac ? event.ctrlKey : event.metaKey
  // Symbols such as `?` need Shift on some keyboards and not on others.
  const symbol = key.length === 1 && !/[a-z0-9]/.test(key)
  return (
    // With Shift or Alt a digit key produces another character on every keyboard, so its position counts.
    (event.key.toLowerCase() === key || event.code === `Digit${key}`) &&
    mod === parts.includes('mod') &&
    !other &&
    event.altKey === parts.includes('alt') &&
    (symbol || event.shiftKey === parts.includes('shift'))
  )
}
