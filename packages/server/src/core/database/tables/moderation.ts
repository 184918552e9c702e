export type FlagRule = 'rapid' | 'bulk' | 'repeated' | 'report'

/** A message that a scan or its recipient has flagged; it holds nothing of what the message says. */
export interface MessageFlagRow {
  id: string
  rule: FlagRule
  message_id: string
  sender_id: string
  connection_id: string
  /** When the message was stored, and until when it is kept. */
  sent_at: number
  sent_until: number
  /** Messages, recipients or equal texts that made a scan flag it. */
  amount: number | null
  /** The tag that was repeated. */
  repetition: string | null
  reporter_id: string | null
  /** Sealed in the reporter's browser; gone when the founder unflags the message. */
  sealed_report: string | null
  /** The founder's key that it is sealed to. */
  report_key_id: string | null
  /** The founder's session that the report was fetched in last. */
  opened_in: string | null
  flagged_at: number
  /** A message that was unflagged is not flagged again. */
  unflagged_at: number | null
  /** A flag of a scan goes with its message, a report after limits.reportsKept. */
  expires_at: number
}
