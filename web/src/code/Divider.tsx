import type { KeyboardEvent, PointerEvent } from 'react'
import { classNames } from '@/design/classNames'

interface Props {
  label: string
  /**
   * The axis along which the divider moves. `size` is that of the pane after it, which grows as the divider
   * moves back.
   */
  axis: 'x' | 'y'
  size: number
  least: number
  usual: number
  most: number
  onSize: (size: number) => void
}

const STEP = 24

/** The divider between two panes, movable by pointer and keyboard. A double click resets it. */
export function Divider({ label, axis, size, least, usual, most, onSize }: Props) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    const from = axis === 'x' ? event.clientX : event.clientY
    const line = event.currentTarget
    line.setPointerCapture(event.pointerId)
    const move = (next: globalThis.PointerEvent) => onSize(size + from - (axis === 'x' ? next.clientX : next.clientY))
    const end = () => {
      line.removeEventListener('pointermove', move)
      line.removeEventListener('pointerup', end)
      line.removeEventListener('pointercancel', end)
    }
    line.addEventListener('pointermove', move)
    line.addEventListener('pointerup', end)
    line.addEventListener('pointercancel', end)
  }
  const press = (event: KeyboardEvent) => {
    const back = axis === 'x' ? 'ArrowLeft' : 'ArrowUp'
    const on = axis === 'x' ? 'ArrowRight' : 'ArrowDown'
    const to = { [back]: size + STEP, [on]: size - STEP, Home: least, End: most, Enter: usual }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onSize(to)
  }
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={press}
      onDoubleClick={() => onSize(usual)}
      className={classNames(
        'group/divider relative z-10 shrink-0 touch-none bg-hairline outline-none',
        axis === 'x' ? 'w-px cursor-col-resize' : 'h-px cursor-row-resize',
      )}
    >
      {/* Wider than it looks, so that it is easy to grab. */}
      <span
        className={classNames(
          'absolute transition-colors group-hover/divider:bg-[color-mix(in_oklab,var(--blue)_55%,transparent)] group-focus-visible/divider:bg-blue',
          axis === 'x' ? '-inset-x-1 inset-y-0 bg-clip-content px-[3px]' : 'inset-x-0 -inset-y-1 bg-clip-content py-[3px]',
        )}
      />
    </div>
  )
}
