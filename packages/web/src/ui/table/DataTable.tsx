import { ArrowDown, ArrowUp, ChevronsUpDown, type LucideIcon } from 'lucide-react'
import { type Column, type Sorting, sortedBy, readSorting, spellSorting } from './columns.ts'
import { classes } from '../classes.ts'
import { Button } from '../button/Button.tsx'
import { AfterDelay, Skeleton } from '../feedback/Progress.tsx'
import { Select } from '../choice/Select.tsx'
import { tableTexts } from '../texts.ts'
import './table.css'

export interface DataTableProps<Row extends { id: string }, Key extends string> {
  /** Accessible name. */
  label: string
  /** The first column is the row's header. */
  columns: readonly Column<Row, Key>[]
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
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
export function DataTable<Row extends { id: string }, Key extends string = never>(props: DataTableProps<Row, Key>) {
  const { label, columns, rows, sorting, onSort, isOff, stale = false } = props
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
            rows.map((row) => <DataRow key={row.id} row={row} columns={columns} off={isOff?.(row) ?? false} />)
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

interface RowButtonProps {
  label: string
  icon: LucideIcon
  danger?: boolean
  onClick: () => void
}

/** An action on a row: an icon with its label as tooltip. */
export function RowButton({ label, icon: Icon, danger, onClick }: RowButtonProps) {
  return (
    <Button
      variant="ghost"
      size="sm"
      icon
      className={danger ? 'row-delete' : undefined}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon className="ic" />
    </Button>
  )
}

interface SortButtonProps {
  label: string
  /** Undefined if another column sorts the rows. */
  state: { descending: boolean } | undefined
  onClick: () => void
}

/** Header button of a sortable column. */
function SortButton({ label, state, onClick }: SortButtonProps) {
  const Icon = state ? (state.descending ? ArrowDown : ArrowUp) : ChevronsUpDown
  return (
    <button type="button" className="tbl-sort" onClick={onClick}>
      {label}
      <Icon className="ic ic-sm" />
    </button>
  )
}

interface SortChoiceProps<Row, Key extends string> {
  columns: readonly Column<Row, Key>[]
  sorting: Sorting<Key>
  onSort: (sorting: Sorting<Key>) => void
}

/** Sort choice for the stacked layout, which has no header row. */
function SortChoice<Row, Key extends string>({ columns, sorting, onSort }: SortChoiceProps<Row, Key>) {
  const sorted = columns.flatMap(({ label, sort }) => (sort ? [{ label, by: sort }] : []))
  const options = sorted.flatMap(({ label, by }) => [
    { value: spellSorting({ by, descending: false }), label: tableTexts.ascending(label) },
    { value: spellSorting({ by, descending: true }), label: tableTexts.descending(label) },
  ])
  const keys = sorted.map(({ by }) => by)
  return (
    <div className="tbl-order">
      <span aria-hidden="true">{tableTexts.sortBy}</span>
      <Select
        label={tableTexts.sortBy}
        value={spellSorting(sorting)}
        options={options}
        onChange={(value) => onSort(readSorting(value, keys) ?? sorting)}
      />
    </div>
  )
}
