import { limits } from '@privity/contract/limits'

/** What one sender has sent, oldest first, each column as long as the others; nothing of what it says. */
export interface History {
  /** When each was stored, in milliseconds. */
  at: number[]
  /** In which connection each went: one is with one person. */
  connection: string[]
  /** The repetition tag of those that have one, by position. */
  tags: Map<number, string>
}

/** A message, by its position in the history, at which a rule holds. */
export interface Finding {
  position: number
  /** Messages, recipients or equal texts within the rule's time, up to and with this message. */
  amount: number
}

export const scanRules = ['rapid', 'bulk', 'repeated'] as const
export type ScanRule = (typeof scanRules)[number]

/** Of the rule, in milliseconds. A message just as old as this does not count any more. */
export const windowOf: Record<ScanRule, number> = {
  rapid: limits.rapidWindow,
  bulk: limits.bulkWindow,
  repeated: limits.repeatedWindow,
}

/** Each message that is at least the 20th of its sender within 60 seconds. */
export function findRapid({ at }: Pick<History, 'at'>): Finding[] {
  const found: Finding[] = []
  let first = 0
  for (let position = 0; position < at.length; position++) {
    const time = at[position] as number
    while ((at[first] as number) <= time - limits.rapidWindow) first++
    const amount = position - first + 1
    if (amount >= limits.rapidMessages) found.push({ position, amount })
  }
  return found
}

/** Whether so many messages stand within the time anywhere: most senders are done with this. */
const isDense = (at: readonly number[], amount: number, window: number) =>
  at.some((time, position) => time - (at[position - amount + 1] ?? -Infinity) < window)

/** Each message with which its sender has written to at least 10 people within 10 minutes. */
export function findBulk({ at, connection }: Pick<History, 'at' | 'connection'>): Finding[] {
  const found: Finding[] = []
  if (!isDense(at, limits.bulkRecipients, limits.bulkWindow)) return found
  const counts = new Map<string, number>()
  let first = 0
  for (const [position, time] of at.entries()) {
    const to = connection[position] as string
    counts.set(to, (counts.get(to) ?? 0) + 1)
    for (; (at[first] as number) <= time - limits.bulkWindow; first++) {
      const old = connection[first] as string
      const left = (counts.get(old) as number) - 1
      if (left === 0) counts.delete(old)
      else counts.set(old, left)
    }
    if (counts.size >= limits.bulkRecipients) found.push({ position, amount: counts.size })
  }
  return found
}

/** Each message with at least the fifth equal tag of its sender within 24 hours, by tag. */
export function findRepeated({ at, tags }: Pick<History, 'at' | 'tags'>): Map<string, Finding[]> {
  const positions = new Map<string, number[]>()
  for (const [position, tag] of tags) {
    const known = positions.get(tag)
    if (known === undefined) positions.set(tag, [position])
    else known.push(position)
  }
  const found = new Map<string, Finding[]>()
  for (const [tag, those] of positions) {
    let first = 0
    const ofTag: Finding[] = []
    for (const [index, position] of those.entries()) {
      while ((at[those[first] as number] as number) <= (at[position] as number) - limits.repeatedWindow) first++
      const amount = index - first + 1
      if (amount >= limits.repeatedTexts) ofTag.push({ position, amount })
    }
    if (ofTag.length > 0) found.set(tag, ofTag)
  }
  return found
}

export interface Before {
  /** Times of the messages that earlier scans have flagged, ascending, also where they were unflagged since. */
  flagged: readonly number[]
  /** Messages up to this time were looked at by an earlier scan. */
  scannedUntil: number
}

/**
 * The first finding, and further ones only where none was flagged within the rule's time before: a flood is one flag
 * a minute, not a thousand. Scanned again, the same messages give nothing, whatever of them has expired since.
 */
export function oncePerWindow(
  findings: readonly Finding[],
  at: readonly number[],
  window: number,
  { flagged, scannedUntil }: Before,
): Finding[] {
  let next = 0
  let last = -Infinity
  return findings.filter(({ position }) => {
    const time = at[position] as number
    for (; next < flagged.length && (flagged[next] as number) <= time; next++)
      last = Math.max(last, flagged[next] as number)
    if (time <= scannedUntil || last > time - window) return false
    last = time
    return true
  })
}
