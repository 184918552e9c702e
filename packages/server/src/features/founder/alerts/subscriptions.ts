import type { IncidentType } from '@privity/contract/founder/incidents'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import { burstOf } from '../incidents/rules.ts'
import type { Delivery } from './delivery.ts'
import { claimIncident } from './queries.ts'
import { type AlertCause, raiseAlert } from './queue.ts'

const byRule: Partial<Record<IncidentType, AlertCause['type']>> = {
  rapid_account_creation: 'mass_signup',
  brute_force_attack: 'failed_logins',
  coordinated_attack: 'failed_logins',
}

/** Raises alerts for events of the bus in the background: publishers neither wait for them nor see their failures. */
export function subscribeAlerts(core: Core, delivery: Delivery): () => void {
  const { background, bus, db } = core
  /** If the database itself fails, only the log is left. */
  const raise = (cause: AlertCause, isFirst?: (tx: Tx) => Promise<boolean>) =>
    background.run(
      'ALERT: it could not be kept',
      () =>
        db.write(async (tx) => {
          if (isFirst === undefined || (await isFirst(tx))) await raiseAlert(tx, core, cause)
        }),
      { alert: cause.type, part: cause.part },
    )
  const stops = [
    bus.subscribe('alertQueued', () => delivery.start()),
    bus.subscribe('internalError', ({ route }) => raise({ type: 'system_error', part: `route ${route}` })),
    bus.subscribe('messageFlagged', ({ senderId }) => raise({ type: 'flagged_message', userId: senderId })),
    bus.subscribe('incidentOpened', ({ id, type, by, userIds, addresses, eventCount, lastSeen }) => {
      const alert = byRule[type]
      if (alert === undefined) return
      // An attack on many accounts from one network is about none of them in particular.
      const userId = by === 'account' ? userIds[0] : undefined
      const isFirst = (tx: Tx) => claimIncident(tx, id, lastSeen, burstOf(type))
      raise({ type: alert, userId, address: addresses[0], eventCount }, isFirst)
    }),
  ]
  return () => stops.forEach((stop) => stop())
}
