import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { Select } from '../choice/Select.tsx'
import type { Column } from './column.ts'
import { readSorting, type Sorting, spellSorting } from './sorting.ts'
import { tableTexts } from './texts.ts'

interface SortButtonProps {
  label: string
  /** Undefined if another column sorts the rows. */
  state: { descending: boolean } | undefined
  onClick: () => void
}

/** Header button of a sortable column. */
export function SortButton({ label, state, onClick }: SortButtonProps) {
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
export function SortChoice<Row, Key extends string>({ columns, sorting, onSort }: SortChoiceProps<Row, Key>) {
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
