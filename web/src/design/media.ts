/** Whether there is a pointer that can rest over something: a mouse, and most likely a keyboard with it. */
export function hasMouse(): boolean {
  return !window.matchMedia('(hover: none)').matches
}

/** Whether the reader asked for stillness. */
export function isStill(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
