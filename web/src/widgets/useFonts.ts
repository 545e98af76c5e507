import { useEffect, useState } from 'react'

/** Whether the page's fonts are here. A canvas does not change its letters by itself when they come. */
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
