import { limits } from '@privity/contract/limits'
import type { SenderHistory } from './histories.ts'
import { type Finding, findBulk, findRapid, findRepeated, oncePerWindow, type ScanRule, windowOf } from './rules.ts'

/** A message to be flagged. */
export interface Suspicion {
  rule: ScanRule
  senderId: string
  row: number
  at: number
  amount: number
  repetition: string | null
}

/** What earlier scans have flagged of one sender, by rule; of repeated texts also by tag. */
export type FlaggedBefore = (rule: ScanRule, senderId: string, repetition: string | null) => readonly number[]

/** All three rules over what one sender has sent. */
export function findSuspicious(
  senderId: string,
  history: SenderHistory,
  flaggedBefore: FlaggedBefore,
  scannedUntil: number,
): Suspicion[] {
  const found: Suspicion[] = []
  const keep = (rule: ScanRule, findings: Finding[], repetition: string | null) => {
    const before = { flagged: flaggedBefore(rule, senderId, repetition), scannedUntil }
    for (const { position, amount } of oncePerWindow(findings, history.at, windowOf[rule], before)) {
      const [row, at] = [history.rows[position] as number, history.at[position] as number]
      found.push({ rule, senderId, row, at, amount, repetition })
    }
  }
  if (history.at.length >= limits.rapidMessages) keep('rapid', findRapid(history), null)
  if (history.at.length >= limits.bulkRecipients) keep('bulk', findBulk(history), null)
  if (history.tags.size >= limits.repeatedTexts)
    for (const [tag, findings] of findRepeated(history)) keep('repeated', findings, tag)
  return found.toSorted((one, other) => one.at - other.at)
}
