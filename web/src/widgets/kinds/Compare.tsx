import './lists.css'
import { Minus, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PartialList } from '../lenient'
import { OmittedCount, OmittedNote, InlineText } from '../parts'
import type { Comparison, ComparisonTable } from '../read/lists'

export function Compare({ items }: Comparison) {
  return (
    <>
      <ul className="compare">
        {items.shown.map(({ name, points, pros, cons }, index) => (
          <li key={index} className="compare-item min-w-0 wrap-anywhere">
            <h4 className="text-17 font-medium">
              <InlineText text={name} />
            </h4>
            <Lines lines={points} mark={<span className="mt-2.5 block size-1 rounded-full bg-faint" />} />
            <Lines lines={pros} title="Pros" mark={<Plus size={15} className="mt-1 text-ok" />} />
            <Lines lines={cons} title="Cons" mark={<Minus size={15} className="mt-1 text-danger" />} />
          </li>
        ))}
      </ul>
      <OmittedNote of={items} what="things" />
    </>
  )
}

function Lines({ lines, title, mark }: { lines: PartialList<string>; title?: string; mark: ReactNode }) {
  if (lines.shown.length + lines.unread === 0) return null
  return (
    <>
      <ul aria-label={title} className="mt-3 grid gap-1.5">
        {lines.shown.map((line, index) => (
          <li key={index} className="flex gap-2.5">
            <span aria-hidden="true" className="grid w-4 shrink-0 justify-center">
              {mark}
            </span>
            <div className="min-w-0 flex-1 text-muted">
              <InlineText text={line} />
            </div>
          </li>
        ))}
      </ul>
      <OmittedNote of={lines} what="points" />
    </>
  )
}

export function CompareTable({ columns, moreColumns, rows }: ComparisonTable) {
  return (
    <>
      <div tabIndex={0} role="group" aria-label="Comparison" className="-mx-4 overflow-x-auto px-4 sm:-mx-5 sm:px-5">
        <table className="compare-table">
          <thead>
            <tr>
              <td />
              {columns.map((name, index) => (
                <th key={index} scope="col" className="font-medium">
                  <InlineText text={name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.shown.map(({ label, values }, index) => (
              <tr key={index}>
                <th scope="row" className="font-normal text-muted">
                  <InlineText text={label} />
                </th>
                {values.map((value, at) => (
                  <td key={at} className="tabular-nums">
                    {value === '' ? <span className="text-faint">–</span> : <InlineText text={value} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <OmittedCount count={moreColumns} what="columns" />
      <OmittedNote of={rows} what="rows" />
    </>
  )
}
