import type { SecurityEventRow } from './audit.ts'

/** The founder has looked at a security incident, as it was then. */
export interface IncidentAcknowledgementRow {
  incident_id: string
  acknowledged_at: number
  /** The browser it was done in. */
  device: string
  /** at rest */
  note: string | null
  /** The incident's severity at that time. */
  severity: SecurityEventRow['severity']
  last_seen: number
}
