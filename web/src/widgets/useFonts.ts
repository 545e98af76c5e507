import { useEffect, useState } from 'react'

/** Returns true once the fonts of the page are loaded. A canvas does not redraw its text by itself. */
export function useFonts(): boolean {
  const [ready, setReady] = useState(() => document.fonts?.status !== 'loading')
  useEffect(() => {
    let gone = false
    void document.fonts?.ready.then(() => {
      if (!gone) setReady(true)
    })
    return () => {
      gone = true
    }
  }, [])
  return ready
}
