import type { UserRow } from './users.ts'
import type { AlertDelivery, AlertType, DeliveryReason } from '@privity/contract/founder/alerts'

export interface FounderSessionRow {
  id: string
  /** SHA-256 of the cookie's token */
  token_hash: string
  /** at rest; 32 bytes as base64url */
  key_share: string
  created_at: number
  last_used_at: number
  address: string
  device: string
  /** When password and second factor were last confirmed in this session. */
  confirmed_at: number | null
  /** The token before the last renewal; it authenticates calls until `former_until`. */
  former_token_hash: string | null
  former_until: number | null
}

/** The founder's only authenticator app (TOTP). During its setup, only the session that began may confirm it. */
export interface FounderAppRow {
  id: number
  /** at rest; 20 bytes as base64url */
  secret: string
  created_at: number
  session_id: string | null
  confirmed_at: number | null
  last_step: number
}

/** A correct founder password that waits for the second factor. */
export interface FounderTicketRow {
  token_hash: string
  /** SHA-256 of the device in which it is valid */
  device: string
  /** Hash of the verifier that the password matched. */
  verifier_hash: string
  expires_at: number
}

/** Reports are encrypted to the newest key; older keys decrypt earlier reports. */
export interface FounderReportKeyRow {
  id: string
  public_key: string
  /** at rest; wrapped with a key that only the founder's password yields */
  wrapped_seed: string
  created_at: number
}

export interface SupportRequestRow {
  id: string
  user_id: string
  /** Id made by the browser that sent it. */
  client_id: string | null
  reference: string
  category: 'general' | 'account' | 'connections' | 'messages' | 'files' | 'security'
  priority: 'low' | 'normal' | 'high' | 'urgent'
  /** at rest */
  subject: string
  /** at rest */
  message: string
  state: 'open' | 'closed'
  created_at: number
  /** When the mail server accepted it; null: not yet, or none is configured. */
  mailed_at: number | null
}

/**
 * Messages that a process stored in one minute (minutes since 1970), kept for a day. See
 * core/metrics/messagesPerMinute.
 */
export interface MessageMinuteRow {
  minute: number
  process: string
  messages: number
}

/** Connections made in one minute, kept for a day; maintained by triggers. */
export interface ConnectionMinuteRow {
  minute: number
  connections: number
}

/** Number of users of all organizations; maintained by triggers. */
export interface PeopleCountRow {
  role: UserRow['role']
  is_active: number
  suspended: number
  users: number
}

/** A single row with id 1; a channel without an address is off. */
export interface AlertSettingsRow {
  id: number
  email_address: string | null
  sms_phone_number: string | null
  /** JSON array */
  alert_types: string
  changed_at: number
}

export interface AlertRow {
  id: string
  type: AlertType
  kind: 'alert' | 'digest' | 'test'
  /** `user <id>`, `address <address>`, `route <method> <path>` or `health <problem>`; '' for several. No names. */
  subject: string
  /** Address that the events came from, if it is not the subject. */
  address: string | null
  /** Number of events that the rule counted. */
  event_count: number | null
  /** Number of alerts that a digest stands for. */
  held_back: number
  created_at: number
}

export interface AlertDeliveryRow {
  alert_id: string
  channel: AlertDelivery['channel']
  state: AlertDelivery['state']
  reason: DeliveryReason | null
  failures: number
  /** Time of the next attempt while the delivery waits. */
  next_at: number | null
  /** Process that claimed the delivery and sends it; null while none does. */
  process: string | null
}

/** An alert of this type about this subject was sent at `opened_at`; later ones are only counted. */
export interface AlertWindowRow {
  type: AlertType
  /** '' for all subjects beyond the limit of separate windows. */
  subject: string
  opened_at: number
  held_back: number
}
