import { classNames } from '@/design/classNames'
import { litPath } from './litPath'

/**
 * The moon as seen from the northern hemisphere at this phase. Decorative: the phase is named in text beside
 * it.
 */
export function PhaseMoon({ phase, size, className }: { phase: number; size: number; className?: string }) {
  return (
    <svg viewBox="-50 -50 100 100" width={size} height={size} aria-hidden="true" className={classNames('shrink-0', className)}>
      <circle r="46" fill="var(--moon-dark)" stroke="var(--moon-rim)" strokeWidth="1" />
      <path d={litPath(phase, 46)} fill="var(--moon-lit)" />
      <g fill="var(--moon-sea)">
        <ellipse cx="-12" cy="-17" rx="13" ry="11" />
        <ellipse cx="14" cy="-7" rx="9" ry="8" />
        <ellipse cx="-3" cy="13" rx="10" ry="7" />
        <circle cx="24" cy="18" r="5" />
        <circle cx="-25" cy="12" r="4" />
      </g>
    </svg>
  )
}
