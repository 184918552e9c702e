import type { AffectedUser, Incident } from '@privity/contract/founder/incidents'
import { deletedUserNumber } from '@privity/contract/deletedUser'
import { limits } from '@privity/contract/limits'
import { formatNumber } from '../../../core/language.ts'
import { incidentTexts } from './texts.ts'

export const userWords = ({ id, username }: AffectedUser): string =>
  username ?? incidentTexts.deletedUser(deletedUserNumber(id))

/** Nobody counts further than to the limit. */
export const eventWords = ({ eventCount }: Pick<Incident, 'eventCount'>): string =>
  eventCount >= limits.incidentEventsCounted
    ? incidentTexts.atLeast(formatNumber(eventCount))
    : formatNumber(eventCount)
