import { deletedUserNumber } from '@privity/contract/deletedUser'
import type { AffectedUser, Incident } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { formatNumber } from '../../../i18n/language.ts'
import { incidentTexts } from './texts.ts'

export const userText = ({ id, username }: AffectedUser): string =>
  username ?? incidentTexts.deletedUser(deletedUserNumber(id))

/** The single account or address that an incident concerns, to distinguish incidents of the same type. */
export function subjectText(incident: Incident): string | undefined {
  const { affectedUsers, affectedUserCount, affectedIPs, affectedIPCount } = incident
  if (affectedUserCount === 1) return affectedUsers.map(userText)[0]
  return affectedIPCount === 1 ? affectedIPs[0] : undefined
}

export const eventCountText = ({ eventCount, isCountCut }: Pick<Incident, 'eventCount' | 'isCountCut'>): string =>
  isCountCut ? incidentTexts.atLeast(formatNumber(eventCount)) : formatNumber(eventCount)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Time until 24 hours after the last event, rounded up to whole minutes. */
export function remainingText(lastSeen: number, now: number): string {
  const left = lastSeen + limits.incidentOpen - now
  if (left <= 0) return incidentTexts.expired
  const { days, hours, minutes } = incidentTexts.duration
  const whole = Math.ceil(left / minute) * minute
  const parts = [
    [Math.floor(whole / day), days],
    [Math.floor((whole % day) / hour), hours],
    [(whole % hour) / minute, minutes],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first)
    .map(([count, write]) => write(count))
    .join(' ')
}

/** Recommended actions, the most urgent first. */
export function recommendedActions({ type, severity, affectedUsers, affectedIPCount }: Incident): string[] {
  const { actions } = incidentTexts
  const isFounder = affectedUsers.some(({ id }) => id === 'founder')
  const block = affectedIPCount === 0 ? [] : [affectedIPCount === 1 ? actions.blockAddress : actions.blockAddresses]
  const urgent = severity === 'critical' ? [actions.now] : []
  switch (type) {
    case 'brute_force_attack':
    case 'coordinated_attack': {
      if (affectedUsers.length === 0) return [...urgent, ...block, actions.noSuchAccount]
      if (isFounder) return [...urgent, ...block, actions.lookForSuccess, actions.ownPassword]
      const ask = type === 'brute_force_attack' ? [actions.askOwner] : []
      return [...urgent, ...block, ...ask, actions.lookForSuccess, actions.suspendIfEntered, actions.secondFactor]
    }
    case 'unusual_activity_hours':
      return isFounder
        ? [actions.checkChanges, actions.askFounder]
        : [actions.askActor, actions.checkChanges, actions.undo]
    case 'rapid_account_creation':
      return [...urgent, actions.realPeople, actions.suspendAccounts, ...block, actions.inviteOnly]
    case 'suspicious_user_behavior':
      return [actions.talk, actions.whatWasStopped, actions.enforce, actions.suspendUser]
  }
}
