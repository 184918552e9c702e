/** By which column the rows are ordered, and in which direction. */
export interface Sorting<Key extends string> {
  by: Key
  descending: boolean
}

/** What choosing this column leads to: it is turned round where the rows are ordered by it already. */
export const sortedBy = <Key extends string>(now: Sorting<Key>, by: Key): Sorting<Key> => ({
  by,
  descending: now.by === by && !now.descending,
})

/** As it stands in an address: `joined`, or `-joined` for the reverse. */
export const spellSorting = <Key extends string>({ by, descending }: Sorting<Key>): string =>
  descending ? `-${by}` : by

/** Undefined for what names none of these columns. */
export function readSorting<Key extends string>(text: string, keys: readonly Key[]): Sorting<Key> | undefined {
  const descending = text.startsWith('-')
  const name = descending ? text.slice(1) : text
  const by = keys.find((key) => key === name)
  return by === undefined ? undefined : { by, descending }
}
