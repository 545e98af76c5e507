/** How much of her is in the picture. */
export type Framing = 'face' | 'bust' | 'full'

interface Props {
  framing: Framing
  className?: string
}

/** Her body, on a canvas without a background. */
export default function Avatar({ framing, className }: Props) {
  return <div className={className} data-framing={framing} />
}
