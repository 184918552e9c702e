import type { ReportFault } from '@privity/client/founder'
import { isolating } from '../../../ui/translation.ts'

/** Origin of a flag, derived from its reason. */
export type ReasonKind = 'rapid' | 'bulk' | 'repeated' | 'manual'

const kinds: Record<ReasonKind, string> = {
  rapid: 'Rapid sending',
  bulk: 'Bulk messaging',
  repeated: 'Repeated content',
  manual: 'Manual flag',
}

const faults: Record<ReportFault, string> = {
  altered: 'It was altered, or encrypted for another report.',
  signature: 'The signature does not match the key that it names.',
  commitment: 'The text is not the one that was sent.',
  misattributed: 'It names a different message, sender or recipient than it was submitted for.',
  receipt:
    'Its receipt is not valid: this server stored no such message from this sender, or its secret was replaced since.',
}

export const moderationTexts = isolating({
  title: 'Message Moderation',
  rail: 'Moderation',
  railCount: 'flagged',
  table: 'Flagged messages',
  scan: 'Scan Now',
  scanning: 'Scanning...',
  scanned: 'Scan Completed',
  found: (count: number) => `Found ${count} suspicious ${count === 1 ? 'message' : 'messages'}`,
  scanFailed: 'Scan Failed',
  scanFailedHint: 'Failed to scan messages',
  cards: {
    total: 'Total Flagged',
    rapid: 'Rapid Sending',
    bulk: 'Bulk Messaging',
    repeated: 'Repeated Content',
  },
  columns: { message: 'Message', sender: 'Sender', reason: 'Flag reason', flaggedAt: 'Flagged at', actions: 'Actions' },
  kinds,
  encrypted: 'Encrypted',
  opening: 'Opening...',
  notVerified: 'Not verified',
  notOpened: 'Could not be decrypted',
  file: (name: string) => `File: ${name}`,
  notAvailable: 'N/A',
  viewFull: 'View Full',
  viewFullOf: (sender: string) => `View Full: message of ${sender}`,
  unflag: 'Unflag',
  unflagOf: (sender: string) => `Unflag the message of ${sender}`,
  loading: 'Loading flagged messages...',
  none: 'No flagged messages',
  noneShown: 'No flagged messages of this kind',
  show: 'Show flagged messages',
  shown: { all: 'All', report: 'Reports', rapid: 'Rapid', bulk: 'Bulk', repeated: 'Repeated' },
  notLoaded: 'The flagged messages could not be loaded.',
  statsNotLoaded: 'The counts could not be loaded.',
  full: {
    title: 'Full Message Content',
    sender: 'Sender',
    reason: 'Flag reason',
    time: 'Flagged at',
    sentAt: 'Sent',
    reporter: 'Reported by',
    reporterSays: 'Reporter says',
    nothingSaid: 'No reason given',
    expires: 'Flag ends',
    message: 'Message',
    close: 'Close',
    verified: 'Verified',
    verifiedHint:
      'Signature, commitment and receipt are valid: the sender wrote this and sent it to the person who reported it.',
    earlierKey: 'Signed with a key that the sender has replaced since.',
    encryptedHint:
      'The message is end-to-end encrypted. The scan saw who wrote to whom and when, but none of its content.',
    refused: 'This report failed verification. It may not come from the sender and is not shown.',
    faults,
    closed:
      'This report is encrypted to a key that is not unlocked in this browser. Unlock reports under Security or sign in again. If the key belongs to a lost password, the report cannot be read.',
    failed: 'The report could not be decrypted.',
  },
  confirm: {
    title: (sender: string) => `Unflag the message of ${sender}?`,
    hint: 'The message is removed from this list and not flagged again. Its report is deleted.',
    confirm: 'Unflag Message',
    busy: 'Processing...',
  },
  several: {
    selection: 'Selection of flagged messages',
    select: (sender: string) => `Select the message of ${sender}`,
    page: 'Select this page',
    selected: (count: string) => `${count} selected`,
    full: (most: string) => `You can unflag up to ${most} at a time.`,
    unflag: 'Unflag selected',
    clear: 'Clear',
    title: (count: string) => `Unflag ${count} messages?`,
    hint: 'They are removed from this list and not flagged again. Their reports are deleted.',
    confirm: (count: string) => `Unflag ${count} messages`,
    done: 'Messages unflagged',
    doneHint: (count: string) => `${count} messages are no longer monitored.`,
    failedHint: 'Failed to unflag the messages',
    partly: 'Not all unflagged',
    partlyHint: (unflagged: string, failed: string) => `Unflagged: ${unflagged}. Not unflagged: ${failed}.`,
    why: 'Its flag had ended or was removed elsewhere.',
    close: 'Close',
  },
  unflagged: 'Message Unflagged',
  unflaggedHint: 'The message is no longer monitored.',
  unflagFailed: 'Unflag Failed',
  unflagFailedHint: 'Failed to unflag message',
})
