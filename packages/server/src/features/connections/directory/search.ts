import type { Result } from '@privity/contract/endpoint'
import type { Colleague, directory as contract } from '@privity/contract/directory'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import { splitSearch } from '../../organization/users/searchIndex.ts'
import { requireDirectory } from './access.ts'
import { type ColleagueRow, selectColleagues } from './queries.ts'

const stateOf = (row: ColleagueRow): Colleague['state'] => {
  if (row.is_connected === 1) return 'connected'
  if (row.is_asking === 1) return 'asking'
  return row.is_asked === 1 ? 'asked' : 'none'
}

/** A search needs one word of the least length, so that single letters do not list the organization. */
function wordsOf(name: string): string[] {
  const words = splitSearch(name)
  if (words.some((word) => Array.from(word).length >= limits.directorySearchMin)) return words
  const details = [{ path: 'name', message: `Enter at least ${limits.directorySearchMin} letters of a name.` }]
  throw new AppError('INVALID_INPUT', { details })
}

export async function searchDirectory(
  { db, clock }: Core,
  userId: string,
  name: string,
): Promise<Result<typeof contract.search>> {
  const organizationId = await requireDirectory(db.read, userId)
  const search = { organizationId, userId, words: wordsOf(name), now: clock.now() }
  const rows = await selectColleagues(db.read, search, limits.colleaguesFound + 1)
  const colleagues = rows.slice(0, limits.colleaguesFound).map((row) => ({
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    state: stateOf(row),
  }))
  return { colleagues, more: rows.length > limits.colleaguesFound }
}
