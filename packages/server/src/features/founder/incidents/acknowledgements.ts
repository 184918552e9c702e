import { AppError } from '@privity/contract/errors'
import type { Acknowledgement } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Founder } from '../../../core/http/guards.ts'
import type { IncidentAcknowledgementRow } from '../../../core/database/tables/security.ts'
import { lastSeenOf, type OpenIncident, rankOf } from './openIncident.ts'
import { burstOf } from './rules.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'
import type { Reader, Tx } from '../../../core/database/types.ts'

const selectAcknowledgements = (db: Reader) =>
  db.all<IncidentAcknowledgementRow>('select * from incident_acknowledgements')

const selectAcknowledgement = (db: Reader, incidentId: string) =>
  db.get<IncidentAcknowledgementRow>('select * from incident_acknowledgements where incident_id = ?', [incidentId])

/** Replaces an acknowledgement made at `formerAt` or before; changes nothing if there is a newer one. */
const upsertAcknowledgement = (tx: Tx, row: IncidentAcknowledgementRow, formerAt: number) =>
  tx.run(
    `insert into incident_acknowledgements (incident_id, acknowledged_at, device, note, severity, last_seen)
     values (?, ?, ?, ?, ?, ?)
     on conflict (incident_id) do update set acknowledged_at = excluded.acknowledged_at, device = excluded.device,
       note = excluded.note, severity = excluded.severity, last_seen = excluded.last_seen
     where incident_acknowledgements.acknowledged_at <= ?`,
    [row.incident_id, row.acknowledged_at, row.device, row.note, row.severity, row.last_seen, formerAt],
  )

const deleteAcknowledgement = (tx: Tx, incidentId: string) =>
  tx.run('delete from incident_acknowledgements where incident_id = ?', [incidentId])

const deleteOldAcknowledgements = (tx: Tx, before: number) =>
  tx.run('delete from incident_acknowledgements where last_seen <= ?', [before])

const selectDevice = (db: Reader, sessionId: string) =>
  db.get<{ device: string }>('select device from founder_sessions where id = ?', [sessionId])

/** Acknowledgements that hold, by incident id. */
export type Acknowledged = ReadonlyMap<string, Acknowledgement>

/**
 * Whether an acknowledgement holds: it ends when the incident becomes more severe, or flares up after it was quiet for
 * longer than its window. Alerts report the incident again at the same moment. One of events dated ahead never holds.
 */
function isCovered(
  { type, severity, events }: OpenIncident,
  row: Pick<IncidentAcknowledgementRow, 'severity' | 'last_seen'>,
  now: number,
): boolean {
  if (row.last_seen > now + limits.clockTolerance) return false
  if (rankOf(severity) > rankOf(row.severity)) return false
  let seen = row.last_seen
  for (const { at } of events) {
    if (at <= seen) continue
    if (at - seen > burstOf(type)) return false
    seen = at
  }
  return true
}

const toAcknowledgement = ({ config, secrets }: Core, row: IncidentAcknowledgementRow): Acknowledgement => ({
  by: config.founder.username,
  device: row.device,
  at: row.acknowledged_at,
  note: row.note === null ? undefined : secrets.decryptAtRest(row.note),
})

export async function findAcknowledged(core: Core, open: readonly OpenIncident[]): Promise<Acknowledged> {
  if (open.length === 0) return new Map()
  const incidents = new Map(open.map((incident) => [incident.id, incident]))
  const rows = (await selectAcknowledgements(core.db.read)).filter((row) => {
    const incident = incidents.get(row.incident_id)
    return incident !== undefined && isCovered(incident, row, core.clock.now())
  })
  return new Map(rows.map((row) => [row.incident_id, toAcknowledgement(core, row)]))
}

/** An id contains its subject. The subject of a network is an address, which the audit entry would keep for ever. */
function detailsOf({ id, type, by, severity }: Pick<OpenIncident, 'id' | 'type' | 'by' | 'severity'>) {
  const subject = id.slice(`${type}:${by}:`.length)
  return { type, severity, by, ...(by === 'account' && { subject }) }
}

/** Keeps one of several concurrent acknowledgements and refuses the rest. */
export function acknowledge(
  core: Core,
  { sessionId, address }: Founder,
  incident: OpenIncident,
  note: string,
): Promise<Acknowledgement> {
  return core.db.write(async (tx) => {
    const former = await selectAcknowledgement(tx, incident.id)
    if (former !== undefined && isCovered(incident, former, core.clock.now()))
      throw new AppError('INCIDENT_ACKNOWLEDGED')
    const at = core.clock.now()
    const row: IncidentAcknowledgementRow = {
      incident_id: incident.id,
      acknowledged_at: at,
      device: (await selectDevice(tx, sessionId))?.device ?? '',
      note: note === '' ? null : core.secrets.encryptAtRest(note),
      severity: incident.severity,
      last_seen: lastSeenOf(incident),
    }
    const { changes } = await upsertAcknowledgement(tx, row, former?.acknowledged_at ?? -1)
    if (changes === 0) throw new AppError('INCIDENT_ACKNOWLEDGED')
    const details = detailsOf(incident)
    await audit(tx, { action: 'incident_acknowledged', actorId: 'founder', address, details, at })
    return toAcknowledgement(core, row)
  })
}

/** Without an acknowledgement it does nothing and writes no entry. */
export function withdraw(core: Core, { address }: Founder, incident: OpenIncident): Promise<void> {
  return core.db.write(async (tx) => {
    if ((await deleteAcknowledgement(tx, incident.id)).changes === 0) return
    const details = detailsOf(incident)
    const at = core.clock.now()
    await audit(tx, { action: 'incident_acknowledgement_withdrawn', actorId: 'founder', address, details, at })
  })
}

/** Keeps acknowledgements as long as the events they are about. */
export const incidentJobs: Job[] = [
  {
    name: 'forget old acknowledgements',
    every: 60 * 60_000,
    async run({ db, clock }) {
      await db.write((tx) => deleteOldAcknowledgements(tx, clock.now() - limits.securityEventsKept))
    },
  },
]
