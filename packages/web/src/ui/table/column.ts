import type { ReactNode } from 'react'

export interface Column<Row, Key extends string = never> {
  /** Above the column; beside the value where a row is a block. */
  label: string
  /** Where the rows can be ordered by it. */
  sort?: Key
  right?: boolean
  /** Narrow columns and long texts want another shape than the one that fits most. */
  className?: string
  cell: (row: Row) => ReactNode
  /** Width in px of what is shown while loading. */
  placeholder: number
}
