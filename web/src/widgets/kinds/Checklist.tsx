import { useState } from 'react'
import { Progress } from '@/design/Progress'
import { join } from '@/design/join'
import { recall, remember } from '@/shell/storage'
import { Rest, Words } from '../parts'
import type { Checklist as Data } from '../read/lists'

/** Ticks belong to this browser: they are kept by the act's id. */
export function Checklist({ id, checks }: Data & { id: string }) {
  const [ticked, setTicked] = useState<Set<number>>(() => kept(id, checks.shown.length) ?? given(checks.shown))
  const done = checks.shown.filter((_, index) => ticked.has(index)).length

  const tick = (index: number) => {
    const next = new Set(ticked)
    if (!next.delete(index)) next.add(index)
    setTicked(next)
    remember(keyOf(id), JSON.stringify([...next]))
  }

  return (
    <>
      <div className="mb-3 flex items-center gap-3 text-12 text-faint">
        <span className="shrink-0 tabular-nums">
          {done} of {checks.shown.length}
        </span>
        <Progress part={done / checks.shown.length} label="Ticked off" />
      </div>
      <ul className="-mx-2">
        {checks.shown.map(({ text }, index) => (
          <li key={index}>
            <label className="flex cursor-default gap-3 rounded-control px-2 py-1.5 transition-colors hover:bg-hover pointer-coarse:py-2.5">
              <input type="checkbox" checked={ticked.has(index)} onChange={() => tick(index)} className="tick mt-[0.1875rem]" />
              <div className={join('min-w-0 flex-1 wrap-anywhere transition-colors', ticked.has(index) && 'text-faint line-through decoration-1')}>
                <Words text={text} />
              </div>
            </label>
          </li>
        ))}
      </ul>
      <Rest of={checks} what="entries" />
    </>
  )
}

function keyOf(id: string): string {
  return `checklist.${id}`
}

function given(checks: { done: boolean }[]): Set<number> {
  return new Set(checks.flatMap(({ done }, index) => (done ? [index] : [])))
}

function kept(id: string, length: number): Set<number> | null {
  const text = recall(keyOf(id))
  if (text === null) return null
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? new Set(read.filter((index): index is number => Number.isInteger(index) && index >= 0 && index < length)) : null
  } catch {
    return null
  }
}
