import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { useAttempt } from './Boundary'

/**
 * Style sheets that failed to load. The bundler's preload code requests each of them once and never again.
 */
const lost = new Set<HTMLLinkElement>()
window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lost.add(target)
  },
  true,
)

async function fetchLostStyles(): Promise<void> {
  const again = [...lost].map((link) => {
    const fresh = link.cloneNode() as HTMLLinkElement
    lost.delete(link)
    link.replaceWith(fresh)
    return new Promise((resolve, reject) => {
      fresh.addEventListener('load', resolve)
      fresh.addEventListener('error', () => reject(new Error(`There is no ${fresh.href}.`)))
    })
  })
  await Promise.all(again)
}

/**
 * A part of the page that is loaded on demand. `lazy` keeps a failure forever; this loads again with the next
 * attempt of the boundary around it.
 */
export function lazyPart<P extends object>(fetch: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let failed = false
  const begin = () => {
    failed = false
    return lazy(async () => {
      try {
        await fetchLostStyles()
        return await fetch()
      } catch (error) {
        failed = true
        throw error
      }
    })
  }
  let latest = begin()
  // Within one attempt the component stays the same: React renders a failed part again before it informs the
  // boundary.
  const used = new WeakMap<object, LazyExoticComponent<ComponentType<P>>>()
  return function Part(props: P) {
    const attempt = useAttempt()
    if (!used.has(attempt)) {
      if (failed) latest = begin()
      used.set(attempt, latest)
    }
    const Shown = used.get(attempt) ?? latest
    return <Shown {...props} />
  }
}
