import './panels.css'
import { Pin, PinOff, X } from 'lucide-react'
import { type CSSProperties, memo, Suspense } from 'react'
import { Boundary } from '@/design/Boundary'
import { BrokenNote } from '@/design/Broken'
import { IconButton } from '@/design/IconButton'
import { rectOf, useLuna } from '../store'
import type { Edge } from './geometry'
import type { PanelKind } from './registry'
import { usePanelDrag } from './usePanelDrag'

const EDGES: Edge[] = ['n', 'e', 's', 'w', 'ne', 'se', 'sw', 'nw']

interface Props {
  kind: PanelKind
  /** The other panels on the screen, to which this one snaps. */
  others: string[]
  /** The stacking level, from the bottom up. */
  level: number
  topmost: boolean
  onClose: (id: string) => void
}

/** A glass panel of the Luna view. */
export function Panel({ kind, others, level, topmost, onClose }: Props) {
  const { id, title, icon: Icon } = kind
  const rect = useLunaRect(id)
  const pinned = useLuna((state) => state.panels[id]?.pinned ?? false)
  const { head, edge } = usePanelDrag(kind, others)
  const { pin, front } = useLuna.getState()
  if (!rect) return null
  const style: CSSProperties = { transform: `translate(${rect.x}px, ${rect.y}px)`, width: rect.width, height: rect.height, zIndex: level }
  return (
    <section
      aria-label={title}
      data-panel={id}
      data-pinned={pinned || undefined}
      data-topmost={topmost || undefined}
      style={style}
      onPointerDownCapture={() => front(id)}
      onFocusCapture={() => front(id)}
      className="panel glass"
    >
      <header className="panel-head">
        <h2 className="min-w-0 flex-1">
          <button
            type="button"
            data-panel-head
            aria-label={`${title}: move it with the arrow keys, resize it with Shift and the arrow keys`}
            {...head}
            className="panel-grip"
          >
            <Icon size={14} aria-hidden="true" />
            <span className="label truncate">{title}</span>
          </button>
        </h2>
        <div className="panel-actions">
          <IconButton size="small" label={pinned ? `Unpin ${title}` : `Pin ${title}`} aria-pressed={pinned} onClick={() => pin(id, !pinned)}>
            {pinned ? <PinOff size={14} /> : <Pin size={14} />}
          </IconButton>
          <IconButton size="small" label={`Close ${title}`} onClick={() => onClose(id)}>
            <X size={15} />
          </IconButton>
        </div>
      </header>
      <PanelBody kind={kind} />
      {EDGES.map((name) => (
        <div key={name} aria-hidden="true" className="panel-edge" data-edge={name} {...edge(name)} />
      ))}
    </section>
  )
}

/** Selects the rectangle by its numbers, so that moving another panel does not render this one again. */
function useLunaRect(id: string) {
  const key = useLuna((state) => {
    const rect = rectOf(state, id)
    return rect ? `${rect.x} ${rect.y} ${rect.width} ${rect.height}` : null
  })
  if (key === null) return null
  const [x = 0, y = 0, width = 0, height = 0] = key.split(' ').map(Number)
  return { x, y, width, height }
}

/** The content of a panel, not rendered again when the panel moves. */
export const PanelBody = memo(function PanelBody({ kind }: { kind: PanelKind }) {
  const Content = kind.component
  return (
    <div className="panel-body">
      <Boundary fallback={<BrokenNote onClose={() => useLuna.getState().close(kind.id)} />}>
        <Suspense>
          <Content />
        </Suspense>
      </Boundary>
    </div>
  )
})
