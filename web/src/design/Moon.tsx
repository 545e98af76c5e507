import { classNames } from './classNames'

export type Mood = 'calm' | 'thinking' | 'sorry'

interface FaceProps {
  size: number
  mood?: Mood
  className?: string
}

/** Luna's small face: a moon that looks at the user. Decorative, since the name is always beside it. */
export function Face({ size, mood = 'calm', className }: FaceProps) {
  const gaze = mood === 'thinking' ? -2.5 : 0
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" className={classNames('shrink-0', className)}>
      <circle cx="32" cy="32" r="29.5" fill="var(--moon)" stroke="var(--moon-limb)" />
      <path d="M60.6 23A30 30 0 0 1 10.4 52.7 37 37 0 0 0 60.6 23Z" fill="var(--moon-shade)" />
      <g fill="var(--moon-shade)">
        <circle cx="17" cy="19" r="4.4" />
        <circle cx="24.5" cy="11.5" r="2.2" />
        <circle cx="46" cy="15.5" r="3.4" />
        <circle cx="52.5" cy="24" r="1.9" />
      </g>
      <g transform={`translate(0 ${gaze})`}>
        <Eye x={22.5} />
        <Eye x={41.5} />
      </g>
      <g fill="#f7b4c6" opacity="0.85">
        <ellipse cx="15.5" cy="43" rx="3.6" ry="2.3" />
        <ellipse cx="48.5" cy="43" rx="3.6" ry="2.3" />
      </g>
      <path d={MOUTHS[mood]} fill="none" stroke="#2a2c66" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}

const MOUTHS: Record<Mood, string> = {
  calm: 'M27.5 44.5q4.5 4 9 0',
  thinking: 'M30 45.5q2 1 4 0',
  sorry: 'M28 47q4-3 8 0',
}

function Eye({ x }: { x: number }) {
  return (
    <>
      <ellipse cx={x} cy="34" rx="4.4" ry="6" fill="#2a2c66" />
      <ellipse cx={x} cy="36.2" rx="3" ry="3.2" fill="#5f74f5" />
      <circle cx={x + 1.4} cy="31.2" r="1.7" fill="#fff" />
    </>
  )
}

/** Luna's cursor: a small moon, which waxes and wanes while the model thinks. */
export function MoonCursor({ thinking = false }: { thinking?: boolean }) {
  return <span className="moon-cursor" data-thinking={thinking ? '' : undefined} aria-hidden="true" />
}
