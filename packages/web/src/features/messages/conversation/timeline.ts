import { dayOf } from '../../../i18n/dateTime.ts'

/** An entry of a conversation: a message or an outbox item. */
export interface Entry {
  key: string
  mine: boolean
  createdAt: number
  /** Not grouped, with its own meta line: a file or a message that failed to send. */
  alone: boolean
}

export type Placed<E extends Entry> =
  | { kind: 'day'; key: string; at: number }
  | {
      kind: 'entry'
      key: string
      entry: E
      /** First of a group: has a gap above. */
      turn: boolean
      /** Last of a group: shows the meta line and the pointed corner. */
      tail: boolean
    }

const groupWithin = 5 * 60_000

/** Whether two entries of the same day belong to one group. */
function together(first: Entry, second: Entry): boolean {
  if (first.alone || second.alone || first.mine !== second.mine) return false
  return second.createdAt - first.createdAt < groupWithin
}

/** Adds day separators to entries (oldest first) and marks each entry's place in its group. */
export function placeEntries<E extends Entry>(entries: readonly E[]): Placed<E>[] {
  const placed: Placed<E>[] = []
  const days = entries.map((entry) => dayOf(entry.createdAt))
  const joined = (i: number) => {
    const [first, second] = [entries[i], entries[i + 1]]
    return first !== undefined && second !== undefined && days[i] === days[i + 1] && together(first, second)
  }
  entries.forEach((entry, i) => {
    const newDay = days[i] !== days[i - 1]
    if (newDay) placed.push({ kind: 'day', key: `day-${days[i]}`, at: entry.createdAt })
    placed.push({ kind: 'entry', key: entry.key, entry, turn: !newDay && !joined(i - 1), tail: !joined(i) })
  })
  return placed
}
