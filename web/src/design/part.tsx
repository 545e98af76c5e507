import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { useAttempt } from './Boundary'

// What fetches a part takes a style that stands in the page for one that came.
window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove()
  },
  true,
)

/** A part of the page that is fetched when it is needed. `lazy` keeps a failure for good; this fetches anew with the next try of the boundary around it. */
export function part<P extends object>(fetch: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let failed = false
  const begin = () => {
    failed = false
    return lazy(() =>
      fetch().catch((error: unknown) => {
        failed = true
        throw error
      }),
    )
  }
  let latest = begin()
  // Within one try it stays the same: React draws again what failed before it tells the boundary.
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
