import { useSyncExternalStore } from 'react'

const dark = '(prefers-color-scheme: dark)'

function subscribe(changed: () => void): () => void {
  const media = matchMedia(dark)
  const observer = new MutationObserver(changed)
  media.addEventListener('change', changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    media.removeEventListener('change', changed)
    observer.disconnect()
  }
}

export type Theme = 'dark' | 'light'

function theme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  return chosen === 'dark' || chosen === 'light' ? chosen : matchMedia(dark).matches ? 'dark' : 'light'
}

/** Returns the effective theme. Content drawn on a canvas must be drawn again when it changes. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, theme)
}

/** Returns the colours of the theme for a canvas, by the names of their CSS variables. */
export function colours<Name extends string>(...names: Name[]): Record<Name, string> {
  const probe = document.createElement('span')
  document.body.append(probe)
  const found = {} as Record<Name, string>
  for (const name of names) {
    probe.style.color = `var(--${name})`
    found[name] = getComputedStyle(probe).color
  }
  probe.remove()
  return found
}
