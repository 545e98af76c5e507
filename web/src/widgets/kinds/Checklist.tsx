import './lists.css'
import { Progress } from '@/design/Progress'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'
import { OmittedNote, InlineText } from '../parts'
import type { Checklist as Data } from '../read/lists'

export function Checklist({ id, checks }: Data & { id: string }) {
  const tick = useStore((state) => state.tickItems)
  const done = checks.shown.filter((check) => check.done).length
  const toggle = (at: number) => tick(id, checks.shown.flatMap((check, index) => (check.done !== (index === at) ? [index] : [])))
  return (
    <>
      <div className="mb-3 flex items-center gap-3 text-12 text-faint">
        <span className="shrink-0 tabular-nums">
          {done} of {checks.shown.length}
        </span>
        <Progress part={done / checks.shown.length} label="Ticked off" />
      </div>
      <ul className="-mx-2">
        {checks.shown.map((check, index) => (
          <li key={index}>
            <label className="flex cursor-default gap-3 rounded-control px-2 py-1.5 transition-colors hover:bg-hover pointer-coarse:py-2.5">
              <input type="checkbox" checked={check.done} onChange={() => toggle(index)} className="tick mt-[0.1875rem]" />
              <div className={classNames('min-w-0 flex-1 wrap-anywhere transition-colors', check.done && 'text-faint line-through decoration-1')}>
                <InlineText text={check.text} />
              </div>
            </label>
          </li>
        ))}
      </ul>
      <OmittedNote of={checks} />
    </>
  )
}
