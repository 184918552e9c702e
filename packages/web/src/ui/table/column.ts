import type { ReactNode } from 'react'

export interface Column<Row, Key extends string = never> {
  /** Header of the column; shown beside the value in the stacked layout. */
  label: string
  /** Set if the rows can be sorted by this column. */
  sort?: Key
  right?: boolean
  /** For columns whose layout differs, such as narrow ones or long texts. */
  className?: string
  cell: (row: Row) => ReactNode
  /** Width of the skeleton in px. */
  placeholder: number
}
