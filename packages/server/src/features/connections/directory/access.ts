import { AppError } from '@privity/contract/errors'
import type { Reader } from '../../../core/database/types.ts'
import { readPolicy } from '../../preferences/preferences.ts'
import type { ParticipantRow } from '../queries.ts'
import { selectColleague, selectOrganization } from './queries.ts'

/** Returns the user's organization if it has a directory; throws DIRECTORY_OFF for anyone else. */
export async function requireDirectory(db: Reader, userId: string): Promise<string> {
  const organization = await selectOrganization(db, userId)
  if (organization === undefined || !readPolicy(organization.policy).directory) throw new AppError('DIRECTORY_OFF')
  return organization.id
}

/** Returns the colleague whom the user may ask or accept. Suspended members and strangers do not exist here. */
export async function requireColleague(db: Reader, userId: string, colleagueId: string): Promise<ParticipantRow> {
  const colleague = await selectColleague(db, await requireDirectory(db, userId), userId, colleagueId)
  if (colleague === undefined) throw new AppError('COLLEAGUE_NOT_FOUND')
  return colleague
}
