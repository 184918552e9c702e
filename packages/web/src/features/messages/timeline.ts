import { daysBetween } from '../../core/dateTime.ts'

/** One entry of a conversation, whatever it shows. */
export interface Entry {
  key: string
  mine: boolean
  createdAt: number
  /** Stands alone with its own meta line: a file, or a message that was not sent. */
  alone: boolean
}

export type Placed<E extends Entry> =
  | { kind: 'day'; key: string; at: number }
  | {
      kind: 'entry'
      key: string
      entry: E
      /** The first of a group: some distance above. */
      turn: boolean
      /** The last of a group: carries the meta line and the pointed corner. */
      tail: boolean
    }

const groupWithin = 5 * 60_000

function together(first: Entry, second: Entry): boolean {
  if (first.alone || second.alone || first.mine !== second.mine) return false
  return second.createdAt - first.createdAt < groupWithin && daysBetween(first.createdAt, second.createdAt) === 0
}

/** Entries oldest first -> entries with day rules between, each knowing its place in its group. */
export function placeEntries<E extends Entry>(entries: readonly E[]): Placed<E>[] {
  const placed: Placed<E>[] = []
  entries.forEach((entry, i) => {
    const before = entries[i - 1]
    const after = entries[i + 1]
    const newDay = !before || daysBetween(before.createdAt, entry.createdAt) !== 0
    if (newDay)
      placed.push({ kind: 'day', key: `day-${new Date(entry.createdAt).toDateString()}`, at: entry.createdAt })
    placed.push({
      kind: 'entry',
      key: entry.key,
      entry,
      turn: !newDay && !(before && together(before, entry)),
      tail: !(after && together(entry, after)),
    })
  })
  return placed
}
