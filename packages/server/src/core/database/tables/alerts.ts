import type { AlertDelivery, AlertType, DeliveryReason } from '@privity/contract/founder/alerts'

/** One row, with the id 1; a channel without an address is off. */
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
  /** `user <id>`, `address <address>`, `route <method> <path>`, `health <problem>`; '' for several. Names are looked up when told. */
  subject: string
  /** Where it came from, beside the subject. */
  address: string | null
  /** How many events the rule counted. */
  event_count: number | null
  /** How many a digest stands for. */
  held_back: number
  created_at: number
}

export interface AlertDeliveryRow {
  alert_id: string
  channel: AlertDelivery['channel']
  state: AlertDelivery['state']
  reason: DeliveryReason | null
  failures: number
  /** Of the next attempt while it waits. */
  next_at: number | null
}

/** Since `opened_at` one alert of this type about this subject was sent; the others are counted. */
export interface AlertWindowRow {
  type: AlertType
  /** '' for all subjects beyond the most that are told one by one. */
  subject: string
  opened_at: number
  held_back: number
}
