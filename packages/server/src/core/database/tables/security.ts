export interface SecurityEventRow {
  id: string
  event_type: string
  event_description: string | null
  severity: 'low' | 'medium' | 'high' | 'critical'
  user_id: string | null
  address: string | null
  page_url: string | null
  /** JSON */
  metadata: string | null
  session_id: string | null
  created_at: number
  /** Id made by the browser that reported it. */
  client_id: string | null
  /** Time of the event by the browser's clock. */
  occurred_at: number | null
  /** Keyed hash of a name that no account has, if `user_id` is null. */
  account: string | null
}

/** The founder's acknowledgement of a security incident, in its state at that time. */
export interface IncidentAcknowledgementRow {
  incident_id: string
  acknowledged_at: number
  /** The browser in which it was acknowledged. */
  device: string
  /** at rest */
  note: string | null
  /** The incident's severity at that time. */
  severity: SecurityEventRow['severity']
  last_seen: number
}

export type FlagRule = 'rapid' | 'bulk' | 'repeated' | 'report'

/** A message flagged by a scan or by its recipient; holds nothing of its content. */
export interface MessageFlagRow {
  id: string
  rule: FlagRule
  message_id: string
  sender_id: string
  connection_id: string
  /** When the message was stored, and when it expires. */
  sent_at: number
  sent_until: number
  /** Number of messages, recipients or equal texts that made a scan flag it. */
  amount: number | null
  /** The tag that occurred repeatedly. */
  repetition: string | null
  reporter_id: string | null
  /** Encrypted in the reporter's browser; deleted when the founder unflags the message. */
  sealed_report: string | null
  /** The founder's key to which it is encrypted. */
  report_key_id: string | null
  /** The founder's session that last fetched the report. */
  opened_in: string | null
  flagged_at: number
  /** When the founder unflagged the message; it is not flagged again. */
  unflagged_at: number | null
  /** A scan's flag expires with its message, a report after limits.reportsKept. */
  expires_at: number
}
