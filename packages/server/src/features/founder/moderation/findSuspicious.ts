import { limits } from '@privity/contract/limits'
import type { SenderHistory } from './histories.ts'
import {
  type Finding,
  findBulk,
  findRapid,
  findRepeated,
  type Flagged,
  oncePerWindow,
  type ScanRule,
  windowOf,
} from './rules.ts'

/** A message to be flagged. */
export interface Suspicion {
  rule: ScanRule
  senderId: string
  connectionId: string
  at: number
  expiresAt: number
  amount: number
  repetition: string | null
}

/** The flags that earlier scans set for one sender, by rule. */
export type FlaggedBefore = (rule: ScanRule, senderId: string) => readonly Flagged[]

/**
 * Applies all three rules to the messages of one sender. Keeps only the newest flags of each rule, so that no sender
 * crowds out the rest.
 */
export function findSuspicious(
  senderId: string,
  history: SenderHistory,
  flaggedBefore: FlaggedBefore,
  scannedUntil: number,
): Suspicion[] {
  const found: Suspicion[] = []
  const keep = (rule: ScanRule, findings: Finding[]) => {
    const before = { flagged: flaggedBefore(rule, senderId), scannedUntil }
    const flags = oncePerWindow(findings, history.at, windowOf[rule], before).slice(-limits.flagsEachScan)
    for (const { position, amount, tag = null } of flags) {
      found.push({
        rule,
        senderId,
        connectionId: history.connection[position] as string,
        at: history.at[position] as number,
        expiresAt: history.until[position] as number,
        amount,
        repetition: tag,
      })
    }
  }
  if (history.at.length >= limits.rapidMessages) keep('rapid', findRapid(history, history.replies))
  if (history.at.length >= limits.bulkRecipients) keep('bulk', findBulk(history))
  if (history.tags.size >= limits.repeatedTexts) keep('repeated', findRepeated(history))
  return found.toSorted((one, other) => one.at - other.at)
}
