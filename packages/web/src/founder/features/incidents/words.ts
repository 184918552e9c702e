import type { AffectedUser, Incident } from '@privity/contract/founder/incidents'
import { deletedUserNumber } from '@privity/contract/deletedUser'
import { formatNumber } from '../../../i18n/language.ts'
import { incidentTexts } from './texts.ts'

export const userWords = ({ id, username }: AffectedUser): string =>
  username ?? incidentTexts.deletedUser(deletedUserNumber(id))

/** The single account or address that an incident concerns, to distinguish incidents of the same type. */
export function subjectWords(incident: Incident): string | undefined {
  const { affectedUsers, affectedUserCount, affectedIPs, affectedIPCount } = incident
  if (affectedUserCount === 1) return affectedUsers.map(userWords)[0]
  return affectedIPCount === 1 ? affectedIPs[0] : undefined
}

export const eventWords = ({ eventCount, isCountCut }: Pick<Incident, 'eventCount' | 'isCountCut'>): string =>
  isCountCut ? incidentTexts.atLeast(formatNumber(eventCount)) : formatNumber(eventCount)
