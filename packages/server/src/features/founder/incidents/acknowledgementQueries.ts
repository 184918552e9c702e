import type { Reader, Tx } from '../../../core/database/types.ts'
import type { IncidentAcknowledgementRow } from '../../../core/database/tables/security.ts'

export const selectAcknowledgements = (db: Reader) =>
  db.all<IncidentAcknowledgementRow>('select * from incident_acknowledgements')

export const selectAcknowledgement = (db: Reader, incidentId: string) =>
  db.get<IncidentAcknowledgementRow>('select * from incident_acknowledgements where incident_id = ?', [incidentId])

/** Replaces an acknowledgement made at `formerAt` or before; changes nothing if there is a newer one. */
export const upsertAcknowledgement = (tx: Tx, row: IncidentAcknowledgementRow, formerAt: number) =>
  tx.run(
    `insert into incident_acknowledgements (incident_id, acknowledged_at, device, note, severity, last_seen)
     values (?, ?, ?, ?, ?, ?)
     on conflict (incident_id) do update set acknowledged_at = excluded.acknowledged_at, device = excluded.device,
       note = excluded.note, severity = excluded.severity, last_seen = excluded.last_seen
     where incident_acknowledgements.acknowledged_at <= ?`,
    [row.incident_id, row.acknowledged_at, row.device, row.note, row.severity, row.last_seen, formerAt],
  )

export const deleteAcknowledgement = (tx: Tx, incidentId: string) =>
  tx.run('delete from incident_acknowledgements where incident_id = ?', [incidentId])

export const deleteOldAcknowledgements = (tx: Tx, before: number) =>
  tx.run('delete from incident_acknowledgements where last_seen <= ?', [before])

export const selectDevice = (db: Reader, sessionId: string) =>
  db.get<{ device: string }>('select device from founder_sessions where id = ?', [sessionId])
