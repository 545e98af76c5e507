import './media.css'
const HUES = [88, 265, 155, 22, 305, 205, 50, 240]

/** A letter in place of a picture, always in the same colour for the same name. It needs no request. */
export function Initial({ of }: { of: string }) {
  const letter = /[\p{L}\p{N}]/u.exec(of)?.[0]?.toLocaleUpperCase() ?? '·'
  let sum = 0
  for (const sign of of) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_537
  return (
    <span aria-hidden="true" className="initial" style={{ ['--hue' as string]: HUES[sum % HUES.length] }}>
      {letter}
    </span>
  )
}
