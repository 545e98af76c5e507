/** Sets a formula into an element. False where it cannot be read. */
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
  // What did not come is asked for again the next time.
  loading.catch(() => (loading = null))
  return loading
}
