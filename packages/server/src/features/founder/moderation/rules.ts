import { limits } from '@privity/contract/limits'

/** Metadata of one sender's messages, oldest first, in parallel columns; no content. */
export interface History {
  /** Time of storage of each message, in milliseconds. */
  at: number[]
  /** Connection of each message; a connection stands for one recipient. */
  connection: string[]
  /** Repetition tags by position, for messages that have one. */
  tags: Map<number, string>
}

/** A message, by its position in the history, at which a rule applies. */
export interface Finding {
  position: number
  /** Number of messages, recipients or equal texts within the rule's window, up to and including this message. */
  amount: number
  /** The tag, if the rule compares tags. */
  tag?: string
}

export const scanRules = ['rapid', 'bulk', 'repeated'] as const
export type ScanRule = (typeof scanRules)[number]

/** Window of each rule in milliseconds. A message exactly this old no longer counts. */
export const windowOf: Record<ScanRule, number> = {
  rapid: limits.rapidWindow,
  bulk: limits.bulkWindow,
  repeated: limits.repeatedWindow,
}

/** Times at which the recipients of a sender wrote back, oldest first, and their connections. */
export type Replies = Pick<History, 'at' | 'connection'>

/** Whether `amount` messages lie within `window` anywhere: rules out most senders at once. */
const isDense = (at: readonly number[], amount: number, window: number) =>
  at.some((time, position) => time - (at[position - amount + 1] ?? -Infinity) < window)

/**
 * Each message that is at least the 20th of its sender within 60 seconds. A message stops counting once its recipient
 * has written back: two people who write fast to each other are a conversation.
 */
export function findRapid({ at, connection }: Pick<History, 'at' | 'connection'>, replies: () => Replies): Finding[] {
  const found: Finding[] = []
  if (!isDense(at, limits.rapidMessages, limits.rapidWindow)) return found
  const answers = replies()
  /** Unanswered messages by connection: the position from which they count, and their number within the window. */
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
      const remaining = (counts.get(old) as number) - 1
      if (remaining === 0) counts.delete(old)
      else counts.set(old, remaining)
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
  /** Time the message was sent. */
  at: number
  tag: string | null
}

export interface Before {
  /** Flags of earlier scans, ascending, including those unflagged since. */
  flagged: readonly Flagged[]
  /** Time up to which an earlier scan has looked at messages. */
  scannedUntil: number
}

/**
 * Thins out the findings of one rule for one sender, whose messages were sent `at` these times: a flood is a few flags,
 * not a thousand. Drops a finding if a message with the same tag (or with none, if the rule has no tags) was flagged
 * within `window` before it, so that a harmless text hides no other; and if any was flagged within `limits.flagsApart`,
 * because the sender chooses the tags. Drops everything up to `scannedUntil`, so that another scan of the same messages
 * finds nothing, even if some have expired since.
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
