import type { SecurityEventRow } from './audit.ts'

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
