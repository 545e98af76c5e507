import { X } from 'lucide-react'
import { IconButton } from '@/design/IconButton'
import { useDrag } from '../useDrag'
import { PanelBody } from './panels/Panel'
import type { PanelKind } from './panels/registry'

/** A panel on a phone: it lies over the dock and is dismissed by dragging it down. */
export function Sheet({ kind, onClose }: { kind: PanelKind; onClose: () => void }) {
  const { id, title, icon: Icon } = kind
  const drag = useDrag({ onDown: onClose })
  return (
    <section aria-label={title} data-panel={id} className="sheet glass" style={drag.style}>
      <header className="panel-head sheet-head" {...drag.handlers}>
        <h2 className="panel-grip" data-panel-head tabIndex={-1}>
          <Icon size={14} aria-hidden="true" />
          <span className="label">{title}</span>
        </h2>
        <IconButton size="small" label={`Close ${title}`} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </header>
      <PanelBody kind={kind} />
    </section>
  )
}
