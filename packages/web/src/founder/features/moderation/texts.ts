import type { ReportFault } from '@privity/client/founder'
import { isolating } from '../../../ui/isolating.ts'

/** How a flag came about, as its reason tells. */
export type ReasonKind = 'rapid' | 'bulk' | 'repeated' | 'manual'

const kinds: Record<ReasonKind, string> = {
  rapid: 'Rapid sending',
  bulk: 'Bulk messaging',
  repeated: 'Repeated content',
  manual: 'Manual flag',
}

const faults: Record<ReportFault, string> = {
  altered: 'It was altered, or sealed for another report.',
  signature: 'The signature is not by the key that it names.',
  commitment: 'The words are not those that were sent.',
  misattributed: 'It names another message, sender or recipient than it was handed in for.',
  receipt: 'This server never stored such a message of this sender.',
}

export const moderationTexts = isolating({
  title: 'Message Moderation',
  rail: 'Moderation',
  railCount: 'flagged',
  table: 'Flagged messages',
  scan: 'Scan Now',
  scanning: 'Scanning...',
  scanned: 'Scan Completed',
  found: (count: number) => `Found ${count} suspicious messages`,
  scanFailed: 'Scan Failed',
  scanFailedHint: 'Failed to scan messages',
  cards: {
    total: 'Total Flagged',
    rapid: 'Rapid Sending',
    bulk: 'Bulk Messaging',
    repeated: 'Repeated Content',
  },
  columns: { message: 'Message', sender: 'Sender', reason: 'Flag Reason', flaggedAt: 'Flagged At', actions: 'Actions' },
  kinds,
  encrypted: 'Encrypted',
  opening: 'Opening...',
  notVerified: 'Not verified',
  notOpened: 'Could not be opened',
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
    reason: 'Flag Reason',
    time: 'Flagged At',
    sentAt: 'Sent',
    reporter: 'Reported by',
    reporterSays: 'Reporter says',
    nothingSaid: 'No reason given',
    expires: 'Flag ends',
    message: 'Message',
    close: 'Close',
    verified: 'Verified',
    verifiedHint:
      'Signature, commitment and receipt hold: the sender wrote this, and sent it to the person who reports it.',
    earlierKey: 'Signed with a key that the sender has replaced since.',
    encryptedHint:
      'The message is end-to-end encrypted. The scan saw who wrote to whom and when, and nothing of what it says.',
    refused: 'This report failed verification. It is not the word of the sender, and is not shown.',
    faults,
    closed:
      'This report is sealed to a key that is not open in this browser: unlock reports under Security or sign in again, or it belongs to a password that was lost.',
    failed: 'The report could not be opened.',
  },
  confirm: {
    title: (sender: string) => `Unflag the message of ${sender}?`,
    hint: 'The message leaves this list and is not flagged again. A report of it is erased.',
    confirm: 'Unflag Message',
    busy: 'Processing...',
  },
  unflagged: 'Message Unflagged',
  unflaggedHint: 'The message is no longer monitored.',
  unflagFailed: 'Unflag Failed',
  unflagFailedHint: 'Failed to unflag message',
})
