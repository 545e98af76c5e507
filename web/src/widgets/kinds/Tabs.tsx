import './lists.css'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { classNames } from '@/design/classNames'
import { Markdown } from '@/markdown/Markdown'
import { OmittedNote } from '../parts'
import type { Tabs as Data } from '../read/lists'

export function Tabs({ tabs }: Data) {
  const id = useId()
  const [open, setOpen] = useState(0)
  const buttons = useRef<(HTMLButtonElement | null)[]>([])
  const shown = tabs.shown[open]

  const turn = (event: KeyboardEvent<HTMLElement>) => {
    const last = tabs.shown.length - 1
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const forward = rtl ? 'ArrowLeft' : 'ArrowRight'
    const back = rtl ? 'ArrowRight' : 'ArrowLeft'
    const steps: Record<string, number> = { [forward]: open === last ? 0 : open + 1, [back]: open === 0 ? last : open - 1, Home: 0, End: last }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    setOpen(next)
    buttons.current[next]?.focus()
  }

  return (
    <>
      <div role="tablist" onKeyDown={turn} className="tablist -mx-1 flex gap-1 overflow-x-auto">
        {tabs.shown.map(({ title }, index) => (
          <button
            key={index}
            ref={(button) => {
              buttons.current[index] = button
            }}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === open}
            aria-controls={`${id}-panel`}
            tabIndex={index === open ? 0 : -1}
            onClick={() => setOpen(index)}
            className={classNames(
              'tab relative h-9 max-w-60 shrink-0 truncate rounded-control px-3 text-13 font-medium transition-colors pointer-coarse:h-11',
              index === open ? 'text-text' : 'text-muted hover:bg-hover hover:text-text',
            )}
          >
            <span dir="auto">{title}</span>
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${open}`} tabIndex={0} className="widget-prose mt-4 rounded-control">
        {shown?.text ? <Markdown key={open} source={shown.text} /> : <p className="text-muted">Nothing is written here.</p>}
      </div>
      <OmittedNote of={tabs} what="tabs" />
    </>
  )
}
