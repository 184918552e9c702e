import { lastSeenOf, type OpenIncident } from './openIncident.ts'

const some = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`

/** After events were dropped, the number of those left is a lower bound. */
const eventsOf = ({ events, cutAt }: OpenIncident, one: string, more: string) =>
  cutAt === undefined ? some(events.length, one, more) : `${events.length}+ ${more}`

/** Describes an incident in one sentence without names, which can change and are shown beside it. */
export function describe(incident: OpenIncident): string {
  const { type, by, accounts, networks, addresses, highs } = incident
  switch (type) {
    case 'brute_force_attack': {
      const from = addresses.size === 0 ? '' : ` from ${some(addresses.size, 'address', 'addresses')}`
      return `${eventsOf(incident, 'failed sign-in', 'failed sign-ins')} to one account${from}`
    }
    case 'coordinated_attack':
      return by === 'network'
        ? `Failed sign-ins to ${some(accounts.size, 'account', 'accounts')} from one network`
        : `Failed sign-ins to one account from ${some(networks.size, 'network', 'networks')}`
    case 'unusual_activity_hours':
      return `${eventsOf(incident, 'administrative action', 'administrative actions')} between 00:00 and 05:00`
    case 'rapid_account_creation':
      return `${eventsOf(incident, 'account', 'accounts')} created from one network`
    case 'suspicious_user_behavior': {
      const grave = highs === 0 ? '' : `, ${highs} of high severity`
      return `${eventsOf(incident, 'deterred action', 'deterred actions')} by one user${grave}`
    }
  }
}

/** The form in which the bus publishes an incident. */
export const toOpened = (incident: OpenIncident) => ({
  id: incident.id,
  type: incident.type,
  by: incident.by,
  severity: incident.severity,
  description: describe(incident),
  userIds: [...incident.users.keys()],
  addresses: [...incident.addresses.keys()],
  eventCount: incident.events.length,
  lastSeen: lastSeenOf(incident),
})
