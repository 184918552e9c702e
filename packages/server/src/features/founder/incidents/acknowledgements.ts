import { AppError } from '@privity/contract/errors'
import type { Acknowledgement } from '@privity/contract/founder/incidents'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Founder } from '../../../core/http/guards.ts'
import type { IncidentAcknowledgementRow } from '../../../core/database/tables/security.ts'
import {
  deleteAcknowledgement,
  selectAcknowledgement,
  selectAcknowledgements,
  selectDevice,
  upsertAcknowledgement,
} from './acknowledgementQueries.ts'
import { lastSeenOf, type OpenIncident, rankOf } from './openIncident.ts'
import { burstOf } from './rules.ts'

/** Acknowledgements that hold, by incident id. */
export type Acknowledged = ReadonlyMap<string, Acknowledgement>

/**
 * Whether an acknowledgement holds: it ends when the incident becomes more severe, or flares up after it was quiet for
 * longer than its window. Alerts report the incident again at the same moment.
 */
export function isCovered(
  { type, severity, events }: OpenIncident,
  row: Pick<IncidentAcknowledgementRow, 'severity' | 'last_seen'>,
): boolean {
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
  note: row.note === null ? undefined : secrets.openAtRest(row.note),
})

export async function acknowledgedOf(core: Core, open: readonly OpenIncident[]): Promise<Acknowledged> {
  if (open.length === 0) return new Map()
  const incidents = new Map(open.map((incident) => [incident.id, incident]))
  const rows = (await selectAcknowledgements(core.db.read)).filter((row) => {
    const incident = incidents.get(row.incident_id)
    return incident !== undefined && isCovered(incident, row)
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
    if (former !== undefined && isCovered(incident, former)) throw new AppError('INCIDENT_ACKNOWLEDGED')
    const at = core.clock.now()
    const row: IncidentAcknowledgementRow = {
      incident_id: incident.id,
      acknowledged_at: at,
      device: (await selectDevice(tx, sessionId))?.device ?? '',
      note: note === '' ? null : core.secrets.sealAtRest(note),
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
