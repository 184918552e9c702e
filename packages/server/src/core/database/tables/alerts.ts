import type { AlertDelivery, AlertType, DeliveryReason } from '@privity/contract/founder/alerts'

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
}

/** An alert of this type about this subject was sent at `opened_at`; later ones are only counted. */
export interface AlertWindowRow {
  type: AlertType
  /** '' for all subjects beyond the limit of separate windows. */
  subject: string
  opened_at: number
  held_back: number
}
