/**
 * Returns the lit part of a disc around the origin as an SVG path, as the moon is seen from the northern
 * hemisphere. A phase of 0 is new, 0.5 full.
 */
export function litPath(phase: number, radius: number): string {
  const bend = Math.cos(2 * Math.PI * phase)
  const waxes = phase < 0.5
  const edge = Math.round(Math.abs(bend) * radius * 1000) / 1000
  // The limb on the lit side, and back along the terminator.
  const back = bend > 0 === waxes ? 0 : 1
  return `M0 ${-radius}A${radius} ${radius} 0 0 ${waxes ? 1 : 0} 0 ${radius}A${edge} ${radius} 0 0 ${back} 0 ${-radius}Z`
}
