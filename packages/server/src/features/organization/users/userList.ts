import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { organization as contract, OrganizationUser, UserSort } from '@privity/contract/organization'
import type { Reader } from '../../../core/database/types.ts'
import { splitSearch } from './searchIndex.ts'
import { filterWithSecondFactor } from '../../secondFactor/enrollment.ts'
import { locksOf } from '../../session/locks.ts'
import { toProfile } from '../../session/users.ts'
import { readCursor, writeCursor } from './userListCursor.ts'
import {
  columnsOf,
  countMatches,
  countUses,
  findExactWord,
  type ListedRow,
  type WordSearch,
  type Scope,
  selectCounts,
  selectUsers,
  type SearchWord,
} from './userListQueries.ts'

type Query = Received<typeof contract.users>['query']
type Page = Result<typeof contract.users>

type Row = Omit<ListedRow, 'name_key'>

/** Users as their administrators see them, with data of other tables. */
async function toOrganizationUsers(db: Reader, rows: readonly Row[], now: number): Promise<OrganizationUser[]> {
  const ids = rows.map(({ id }) => id)
  const [protectedIds, locks] = [await filterWithSecondFactor(db, ids), await locksOf(db, ids, now)]
  return rows.map((row) => ({
    ...toProfile(row),
    hasSecondFactor: protectedIds.has(row.id),
    lockedUntil: locks.get(row.id),
  }))
}

export async function listUser(db: Reader, row: Row, now: number): Promise<OrganizationUser> {
  const [user] = await toOrganizationUsers(db, [row], now)
  return user as OrganizationUser
}

export async function statisticsOf(db: Reader, scope: Scope): Promise<Result<typeof contract.current>['statistics']> {
  const counts = await selectCounts(db, scope)
  const sum = (matches: (row: (typeof counts)[number]) => boolean) =>
    counts.filter(matches).reduce((total, { users }) => total + users, 0)
  return {
    total: sum(() => true),
    active: sum(({ is_active }) => is_active === 1),
    inactive: sum(({ is_active }) => is_active === 0),
    admins: sum(({ role }) => role !== 'user'),
    activeAdmins: sum(({ role, is_active }) => role !== 'user' && is_active === 1),
    users: sum(({ role }) => role === 'user'),
  }
}

/**
 * A search reads the users of its rarest word if that has at most this many uses. Above it, going through all users in
 * order is faster, because matches come soon. The limit is higher for a list by name, the order of the word index.
 */
const maxRareUses = { byName: 50_000, otherwise: 10_000 }

interface Search extends WordSearch {
  total: number
}

/** Counts uses no further than the limit: no more is needed to choose the plan. */
async function planSearch(db: Reader, scope: Scope, searched: readonly string[], sort: UserSort): Promise<Search> {
  const counted: (SearchWord & { uses: number })[] = []
  for (const word of searched) {
    const uses = await countUses(db, scope, word, maxRareUses.byName + 1)
    counted.push({ word, uses, isRare: uses <= maxRareUses.byName })
  }
  const words: typeof counted = counted.toSorted((one, other) => one.uses - other.uses)
  const { word = '', uses = 0, isRare = true } = words[0] ?? {}
  words[0] = { word, uses, isRare, exactWord: await findExactWord(db, scope, word) }
  const total = await countMatches(db, scope, { words, isRare })
  return { words, isRare: uses <= (sort === 'name' ? maxRareUses.byName : maxRareUses.otherwise), total }
}

const emptyPage: Page = { users: [], next: null, total: 0, more: false }

/**
 * One page of the users of an organization, or of all organizations, which are sorted only by name, email or joining.
 * Its cost does not grow with the number of users.
 */
export async function listUsers(db: Reader, scope: Scope, query: Query, now: number): Promise<Page> {
  const { search = '', sort, direction, after, limit } = query
  const from = after === undefined ? undefined : readCursor(after, sort, direction)
  if (after !== undefined && from === undefined) {
    throw new AppError('INVALID_INPUT', { details: [{ path: 'after', message: 'No page of this list ends there.' }] })
  }
  const searched = splitSearch(search)
  if (searched.length === 0 && search.trim() !== '') return emptyPage
  const plan = searched.length === 0 ? undefined : await planSearch(db, scope, searched, sort)
  if (plan?.total === 0) return emptyPage
  const rows = await selectUsers(db, scope, { sort, direction, from, limit: limit + 1, search: plan })
  const users = rows.slice(0, limit)
  const last = users.at(-1)
  const isLast = rows.length <= limit || last === undefined
  const total = plan?.total ?? (await statisticsOf(db, scope)).total
  const maxCounted = limits.userSearchCounted
  return {
    users: await toOrganizationUsers(db, users, now),
    next: isLast
      ? null
      : writeCursor(
          sort,
          direction,
          columnsOf(sort).map((column) => last[column]),
        ),
    total: plan === undefined ? total : Math.min(total, maxCounted),
    more: plan !== undefined && total > maxCounted,
  }
}
