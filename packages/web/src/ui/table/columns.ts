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

/** Column and direction of the order. */
export interface Sorting<Key extends string> {
  by: Key
  descending: boolean
}

/** New order after choosing a column: reversed if it already sorts the rows. */
export const sortedBy = <Key extends string>(now: Sorting<Key>, by: Key): Sorting<Key> => ({
  by,
  descending: now.by === by && !now.descending,
})

/** Serializes the order for the address: `joined`, or `-joined` for descending. */
export const spellSorting = <Key extends string>({ by, descending }: Sorting<Key>): string =>
  descending ? `-${by}` : by

/** Parses a serialized order; undefined for an unknown column. */
export function readSorting<Key extends string>(text: string, keys: readonly Key[]): Sorting<Key> | undefined {
  const descending = text.startsWith('-')
  const name = descending ? text.slice(1) : text
  const by = keys.find((key) => key === name)
  return by === undefined ? undefined : { by, descending }
}
