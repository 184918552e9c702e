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
  /** The tag, where the rule compares tags. */
  tag?: string
}

export const scanRules = ['rapid', 'bulk', 'repeated'] as const
export type ScanRule = (typeof scanRules)[number]

/** Of the rule, in milliseconds. A message just as old as this does not count any more. */
export const windowOf: Record<ScanRule, number> = {
  rapid: limits.rapidWindow,
  bulk: limits.bulkWindow,
  repeated: limits.repeatedWindow,
}

/** When the people that a sender writes to have written back, oldest first, and in which connection. */
export type Replies = Pick<History, 'at' | 'connection'>

/** Whether so many messages stand within the time anywhere: most senders are done with this. */
const isDense = (at: readonly number[], amount: number, window: number) =>
  at.some((time, position) => time - (at[position - amount + 1] ?? -Infinity) < window)

/**
 * Each message that is at least the 20th of its sender within 60 seconds. A message does not count once its recipient has
 * written back: two people who write fast to each other are a conversation.
 */
export function findRapid({ at, connection }: Pick<History, 'at' | 'connection'>, replies: () => Replies): Finding[] {
  const found: Finding[] = []
  if (!isDense(at, limits.rapidMessages, limits.rapidWindow)) return found
  const answers = replies()
  /** By connection: from which position on, and how many of the window's messages, are without an answer. */
  const runs = new Map<string, { from: number; count: number }>()
  let [first, answer, amount] = [0, 0, 0]
  for (const [position, time] of at.entries()) {
    for (; (answers.at[answer] ?? Infinity) <= time; answer++) {
      const answered = runs.get(answers.connection[answer] as string)
      amount -= answered?.count ?? 0
      if (answered) Object.assign(answered, { from: position, count: 0 })
    }
    const to = connection[position] as string
    const run = runs.get(to) ?? { from: position, count: 0 }
    runs.set(to, run)
    run.count++
    amount++
    for (; (at[first] as number) <= time - limits.rapidWindow; first++) {
      const oldest = runs.get(connection[first] as string)
      if (oldest === undefined || first < oldest.from) continue
      oldest.count--
      amount--
    }
    if (amount >= limits.rapidMessages) found.push({ position, amount })
  }
  return found
}

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

/** Each message with at least the fifth equal tag of its sender within 24 hours, oldest first. */
export function findRepeated({ at, tags }: Pick<History, 'at' | 'tags'>): Finding[] {
  const found: Finding[] = []
  const byTag = new Map<string, { times: number[]; first: number }>()
  for (const [position, tag] of tags) {
    const time = at[position] as number
    const same = byTag.get(tag) ?? { times: [], first: 0 }
    byTag.set(tag, same)
    same.times.push(time)
    while ((same.times[same.first] as number) <= time - limits.repeatedWindow) same.first++
    const amount = same.times.length - same.first
    if (amount >= limits.repeatedTexts) found.push({ position, amount, tag })
  }
  return found
}

export interface Flagged {
  /** When the message was sent. */
  at: number
  tag: string | null
}

export interface Before {
  /** What earlier scans have flagged, ascending, also where it was unflagged since. */
  flagged: readonly Flagged[]
  /** Messages up to this time were looked at by an earlier scan. */
  scannedUntil: number
}

/**
 * The first finding, and further ones only where none was flagged within the rule's time before: a flood is one flag
 * a minute, not a thousand. Each repeated text has that time for itself, so that a harmless one hides no other; but
 * since the sender chooses the tags, all of them together are no more than one flag a minute either. Scanned again,
 * the same messages give nothing, whatever of them has expired since.
 */
export function oncePerWindow(
  findings: readonly Finding[],
  at: readonly number[],
  window: number,
  { flagged, scannedUntil }: Before,
): Finding[] {
  let next = 0
  let last = -Infinity
  const lastOf = new Map<string | null, number>()
  const keep = (time: number, tag: string | null) => {
    last = time
    lastOf.set(tag, time)
  }
  return findings.filter(({ position, tag = null }) => {
    const time = at[position] as number
    for (let known = flagged[next]; known !== undefined && known.at <= time; known = flagged[++next])
      keep(known.at, known.tag)
    if (time <= scannedUntil || last > time - limits.flagsApart) return false
    if ((lastOf.get(tag) ?? -Infinity) > time - window) return false
    keep(time, tag)
    return true
  })
}
