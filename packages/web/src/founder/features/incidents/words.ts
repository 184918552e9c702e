import type { AffectedUser, Incident } from '@privity/contract/founder/incidents'
import { deletedUserNumber } from '@privity/contract/deletedUser'
import { formatNumber } from '../../../core/language.ts'
import { incidentTexts } from './texts.ts'

export const userWords = ({ id, username }: AffectedUser): string =>
  username ?? incidentTexts.deletedUser(deletedUserNumber(id))

export const eventWords = ({ eventCount, isCountCut }: Pick<Incident, 'eventCount' | 'isCountCut'>): string =>
  isCountCut ? incidentTexts.atLeast(formatNumber(eventCount)) : formatNumber(eventCount)
