/** Typesets a formula into an element. Returns false if it cannot be parsed. */
export type SetMaths = (tex: string, into: HTMLElement, display: boolean) => boolean

let loaded: SetMaths | null = null
let loading: Promise<SetMaths> | null = null

export function mathsIfLoaded(): SetMaths | null {
  return loaded
}

export function loadMaths(): Promise<SetMaths> {
  loading ??= Promise.all([import('katex'), import('katex/dist/katex.min.css')]).then(([{ default: katex }]) => {
    loaded = (tex, into, display) => {
      try {
        katex.render(tex, into, {
          displayMode: display,
          throwOnError: true,
          strict: false,
          trust: false,
          maxSize: 30,
          maxExpand: 500,
        })
        return true
      } catch {
        return false
      }
    }
    return loaded
  })
  // After a failure, the next call tries again.
  loading.catch(() => (loading = null))
  return loading
}
