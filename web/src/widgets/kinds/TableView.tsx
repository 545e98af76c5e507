import './table.css'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '@/design/Button'
import { count, plural } from '@/design/format'
import { classNames } from '@/design/classNames'
import { InlineText } from '../parts'
import { type Cell, sorted, type Table } from '../read/table'

/** The rows rendered at once; more follow on request. */
const PAGE = 100

interface Sorting {
  column: number
  down: boolean
}

export function TableView({ table, title }: { table: Table; title: string }) {
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const [pages, setPages] = useState(1)
  const rows = useMemo(() => (sorting ? sorted(table.rows, sorting.column, sorting.down) : table.rows), [table, sorting])
  const shown = rows.slice(0, pages * PAGE)
  const left = rows.length - shown.length

  return (
    <>
      <div tabIndex={0} role="group" aria-label={title} className="table-stage">
        <table className="data-table">
          <thead>
            <tr>
              {table.columns.map(({ name, numeric }, index) => (
                <HeadCell
                  key={index}
                  name={name}
                  numeric={numeric}
                  sorting={sorting?.column === index ? sorting : null}
                  onSort={() => setSorting(nextSorting(sorting, index))}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <BodyCell key={column} cell={cell} numeric={table.columns[column]?.numeric ?? false} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p className="px-5 py-6 text-muted">The table has no rows.</p>}
      </div>
      <footer className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 text-12 text-faint sm:px-5">
        <span className="tabular-nums">
          {left > 0 ? `${count(shown.length)} of ${plural(rows.length, 'row')}` : plural(rows.length, 'row')}
          {table.moreRows > 0 && `, and ${count(table.moreRows)} more that were left out`}
          {table.moreColumns > 0 && `, ${plural(table.moreColumns, 'column')} left out`}
        </span>
        {left > 0 && (
          <Button variant="quiet" className="ms-auto" onClick={() => setPages(pages + 1)}>
            Show {count(Math.min(PAGE, left))} more
          </Button>
        )}
      </footer>
    </>
  )
}

/** Returns the next sorting: ascending, descending, then the original order. */
function nextSorting(sorting: Sorting | null, column: number): Sorting | null {
  if (sorting?.column !== column) return { column, down: false }
  return sorting.down ? null : { column, down: true }
}

interface HeadProps {
  name: string
  numeric: boolean
  sorting: Sorting | null
  onSort: () => void
}

function HeadCell({ name, numeric, sorting, onSort }: HeadProps) {
  const Arrow = sorting ? (sorting.down ? ArrowDown : ArrowUp) : ChevronsUpDown
  return (
    <th scope="col" aria-sort={sorting ? (sorting.down ? 'descending' : 'ascending') : 'none'} className={classNames(numeric && 'is-number')}>
      <button type="button" onClick={onSort} className={classNames('sort-button', sorting ? 'text-text' : 'text-muted')}>
        <span dir="auto">{name || '–'}</span>
        <Arrow size={13} className={sorting ? 'text-accent-text' : 'sort-hint'} />
      </button>
    </th>
  )
}

function BodyCell({ cell, numeric }: { cell: Cell; numeric: boolean }) {
  return <td className={classNames(numeric && 'is-number')}>{cell.text === '' ? <span className="text-faint">–</span> : <InlineText text={cell.text} />}</td>
}
