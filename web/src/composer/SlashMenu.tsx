import { useEffect, useRef } from 'react'
import type { Action } from '@/actions/registry'
import { classNames } from '@/design/classNames'

interface Props {
  id: string
  actions: Action[]
  active: number
  onPick: (action: Action) => void
  onHover: (index: number) => void
}

export function optionId(menu: string, index: number): string {
  return `${menu}-${index}`
}

/** The commands that match the typed text. The text field keeps the focus. */
export function SlashMenu({ id, actions, active, onPick, onHover }: Props) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      aria-label="Commands"
      tabIndex={0}
      className="absolute inset-x-0 bottom-full mb-2 max-h-[min(20rem,45vh)] animate-rise overflow-y-auto rounded-panel bg-raised p-1.5 shadow-float"
    >
      {actions.map((action, index) => {
        const Icon = action.icon
        return (
          <li
            key={action.id}
            id={optionId(id, index)}
            role="option"
            aria-selected={index === active}
            onMouseMove={() => onHover(index)}
            onMouseDown={(event) => {
              event.preventDefault()
              onPick(action)
            }}
            className={classNames('flex h-9 items-center gap-3 rounded-control px-2.5 text-13 pointer-coarse:h-11', index === active && 'bg-hover')}
          >
            <Icon size={16} className="text-muted" />
            <span className="font-medium">/{action.slash?.name}</span>
            {action.slash?.takes && <span className="text-muted">{action.slash.takes}</span>}
            <span className="ms-auto truncate ps-4 text-muted">{action.title}</span>
          </li>
        )
      })}
    </ul>
  )
}
