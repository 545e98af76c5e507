import { useEffect, useState } from 'react'

/** Returns true if there is a pointer that can hover: a mouse, and most likely a keyboard with it. */
export function hasMouse(): boolean {
  return !window.matchMedia('(hover: none)').matches
}

/** Returns true if the user asked for reduced motion. */
export function isStill(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Returns whether a media query matches, and follows its changes. */
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
