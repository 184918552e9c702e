import type { Column } from './column.ts'
import { classes } from '../classes.ts'
import { AfterDelay, Skeleton } from '../feedback/Skeleton.tsx'
import { SortButton, SortChoice } from './SortControls.tsx'
import { type Sorting, sortedBy } from './sorting.ts'
import './table.css'

export interface DataTableProps<Row, Key extends string> {
  /** Accessible name. */
  label: string
  /** The first column is the row's header. */
  columns: readonly Column<Row, Key>[]
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  sorting?: Sorting<Key>
  onSort?: (sorting: Sorting<Key>) => void
  /** Rows to grey out. */
  isOff?: (row: Row) => boolean
  /** The rows are outdated while new ones load. */
  stale?: boolean
}

const skeletonRows = [1, 2, 3, 4, 5, 6]

/**
 * A table; below 960 px each row is a block that repeats the column labels. ARIA roles are explicit because some
 * browsers drop them when `display` changes.
 */
export function DataTable<Row, Key extends string = never>(props: DataTableProps<Row, Key>) {
  const { label, columns, rows, keyOf, sorting, onSort, isOff, stale = false } = props
  return (
    <div className={classes('tbl-wrap', stale && 'is-stale')}>
      {sorting && onSort && <SortChoice columns={columns} sorting={sorting} onSort={onSort} />}
      <table className="tbl" role="table" aria-label={label} aria-busy={stale || !rows || undefined}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                role="columnheader"
                className={classes(column.right && 'r', column.className)}
                aria-sort={
                  sorting && sorting.by === column.sort ? (sorting.descending ? 'descending' : 'ascending') : undefined
                }
              >
                {column.sort && sorting && onSort ? (
                  <SortButton
                    label={column.label}
                    state={sorting.by === column.sort ? sorting : undefined}
                    onClick={() => column.sort && onSort(sortedBy(sorting, column.sort))}
                  />
                ) : (
                  column.label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows ? (
            rows.map((row) => <DataRow key={keyOf(row)} row={row} columns={columns} off={isOff?.(row) ?? false} />)
          ) : (
            <AfterDelay>
              {skeletonRows.map((row) => (
                <SkeletonRow key={row} columns={columns} />
              ))}
            </AfterDelay>
          )}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps<Row, Key extends string> {
  columns: readonly Column<Row, Key>[]
}

function DataRow<Row, Key extends string>({ row, columns, off }: RowProps<Row, Key> & { row: Row; off: boolean }) {
  const [first, ...others] = columns
  return (
    <tr role="row" className={classes(off && 'is-off')}>
      {first && (
        <th scope="row" role="rowheader" className={classes('first', first.className)}>
          {first.cell(row)}
        </th>
      )}
      {others.map(({ label, right, className, cell }) => (
        <td key={label} role="cell" data-l={label} className={classes(right && 'r', className)}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

function SkeletonRow<Row, Key extends string>({ columns }: RowProps<Row, Key>) {
  return (
    <tr role="row" aria-hidden="true">
      {columns.map(({ label, right, className, placeholder }) => (
        <td key={label} role="cell" className={classes(right && 'r', className)}>
          <Skeleton width={placeholder} height={14} />
        </td>
      ))}
    </tr>
  )
}
