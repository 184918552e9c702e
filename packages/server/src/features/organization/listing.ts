import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { organization as contract, OrganizationUser } from '@privity/contract/organization'
import type { Reader } from '../../core/db.ts'
import { typedWords } from '../../core/userNames.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type Administrator } from './rank.ts'
import { columnsOf, countMatches, countWord, type ListedRow, selectCounts, selectUsers } from './listQueries.ts'

type Query = Received<typeof contract.users>['query']
type Page = Result<typeof contract.users>

export function toOrganizationUser(row: Omit<ListedRow, 'name_key'>): OrganizationUser {
  return {
    id: row.id,
    username: row.username,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    role: row.role,
    isActive: row.is_active === 1,
    suspended: row.suspended === 1,
    createdAt: row.created_at,
  }
}

export async function statisticsOf(
  db: Reader,
  organizationId: string,
): Promise<Result<typeof contract.current>['statistics']> {
  const counts = await selectCounts(db, organizationId)
  const sum = (which: (row: (typeof counts)[number]) => boolean) =>
    counts.filter(which).reduce((total, { users }) => total + users, 0)
  return {
    total: sum(() => true),
    active: sum(({ is_active }) => is_active === 1),
    inactive: sum(({ is_active }) => is_active === 0),
    admins: sum(({ role }) => role !== 'user'),
    users: sum(({ role }) => role === 'user'),
  }
}

interface Search {
  /** The rarest first. */
  words: string[]
  /** Whether so few have the rarest word that it is best to look at those alone. */
  isRare: boolean
  total: number
}

/** Counts no further than it must: a word that thousands have needs no exact number. */
async function planSearch(db: Reader, organizationId: string, typed: readonly string[]): Promise<Search> {
  const counted = await Promise.all(
    typed.map(async (word) => ({ word, users: await countWord(db, organizationId, word) })),
  )
  counted.sort((one, other) => one.users - other.users)
  const words = counted.map(({ word }) => word)
  const [rarest] = counted
  const isRare = (rarest?.users ?? 0) <= limits.userSearchCounted
  const total = counted.length === 1 ? (rarest?.users ?? 0) : await countMatches(db, organizationId, { words, isRare })
  return { words, isRare, total }
}

const none: Page = { users: [], next: null, total: 0, more: false }

/** One page of an organization's users. The time it takes does not grow with how many there are. */
export async function listUsers(db: Reader, { organization_id }: Administrator, query: Query): Promise<Page> {
  const { search = '', sort, direction, after, limit } = query
  const from = after === undefined ? undefined : readCursor(after, sort, direction)
  if (after !== undefined && from === undefined) {
    throw new AppError('INVALID_INPUT', { details: [{ path: 'after', message: 'No page of this list ends there.' }] })
  }
  const typed = typedWords(search)
  if (typed.length === 0 && search.trim() !== '') return none
  const found = typed.length === 0 ? undefined : await planSearch(db, organization_id, typed)
  if (found?.total === 0) return none
  const rows = await selectUsers(db, organization_id, { sort, direction, from, limit: limit + 1, search: found })
  const users = rows.slice(0, limit)
  const last = users.at(-1)
  const isLast = rows.length <= limit || last === undefined
  const total = found?.total ?? (await statisticsOf(db, organization_id)).total
  const most = limits.userSearchCounted
  return {
    users: users.map(toOrganizationUser),
    next: isLast
      ? null
      : writeCursor(
          sort,
          direction,
          columnsOf(sort).map((column) => last[column]),
        ),
    total: found === undefined ? total : Math.min(total, most),
    more: found !== undefined && total > most,
  }
}
