import { useEffect, useState } from 'react'

/** Whether there is a pointer that can rest over something: a mouse, and most likely a keyboard with it. */
export function hasMouse(): boolean {
  return !window.matchMedia('(hover: none)').matches
}

/** Whether the reader asked for stillness. */
export function isStill(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Whether this holds of the screen, and from when on it does. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches)
  useEffect(() => {
    const media = window.matchMedia(query)
    const update = () => setMatches(media.matches)
    update()
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [query])
  return matches
}
