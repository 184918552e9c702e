import type { Incident } from '@privity/contract/founder/incidents'
import { incidentTexts } from './texts.ts'

/** Recommended actions, the most urgent first. */
export function recommendedActions({ type, severity, affectedUsers, affectedIPCount }: Incident): string[] {
  const { actions } = incidentTexts
  const founder = affectedUsers.some(({ id }) => id === 'founder')
  const block = affectedIPCount === 0 ? [] : [affectedIPCount === 1 ? actions.blockAddress : actions.blockAddresses]
  const urgent = severity === 'critical' ? [actions.now] : []
  switch (type) {
    case 'brute_force_attack':
    case 'coordinated_attack': {
      if (affectedUsers.length === 0) return [...urgent, ...block, actions.noSuchAccount]
      if (founder) return [...urgent, ...block, actions.lookForSuccess, actions.ownPassword]
      const ask = type === 'brute_force_attack' ? [actions.askOwner] : []
      return [...urgent, ...block, ...ask, actions.lookForSuccess, actions.suspendIfEntered, actions.secondFactor]
    }
    case 'unusual_activity_hours':
      return founder
        ? [actions.checkChanges, actions.askFounder]
        : [actions.askActor, actions.checkChanges, actions.undo]
    case 'rapid_account_creation':
      return [...urgent, actions.realPeople, actions.suspendAccounts, ...block, actions.inviteOnly]
    case 'suspicious_user_behavior':
      return [actions.talk, actions.whatWasStopped, actions.enforce, actions.suspendUser]
  }
}
