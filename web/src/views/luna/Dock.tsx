import { classNames } from '@/design/classNames'
import { Tooltip } from '@/design/Tooltip'
import type { PanelKind } from './panels/registry'

interface Props {
  offered: PanelKind[]
  isOpen: (id: string) => boolean
  onToggle: (id: string) => void
}

/** The dock with every panel that has something to show. Open ones are marked. */
export function Dock({ offered, isOpen, onToggle }: Props) {
  return (
    <nav aria-label="Panels" className="dock glass">
      <ul className="flex items-center gap-0.5">
        {offered.map(({ id, title, icon: Icon }) => {
          const open = isOpen(id)
          return (
            <li key={id}>
              <Tooltip label={title}>
                <button type="button" id={`dock-${id}`} aria-label={title} aria-pressed={open} onClick={() => onToggle(id)} className={classNames('dock-button', open && 'is-open')}>
                  <Icon size={18} />
                </button>
              </Tooltip>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
