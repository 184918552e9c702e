import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { organization as contract, OrganizationUser, UserSort } from '@privity/contract/organization'
import type { Reader } from '../../../core/database/types.ts'
import { typedWords } from './searchIndex.ts'
import { withSecondFactor } from '../../secondFactor/enrollment.ts'
import { locksOf } from '../../session/locks.ts'
import { readCursor, writeCursor } from './userListCursor.ts'
import {
  columnsOf,
  countMatches,
  countUses,
  findWhole,
  type ListedRow,
  type Looking,
  type Scope,
  selectCounts,
  selectUsers,
  type Sought,
} from './userListQueries.ts'

type Query = Received<typeof contract.users>['query']
type Page = Result<typeof contract.users>

type Row = Omit<ListedRow, 'name_key'>

function toOrganizationUser(row: Row, hasSecondFactor: boolean, lockedUntil: number | undefined): OrganizationUser {
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
    hasSecondFactor,
    lockedUntil,
  }
}

/** Users as their administrators see them, with data of other tables. */
async function toOrganizationUsers(db: Reader, rows: readonly Row[], now: number): Promise<OrganizationUser[]> {
  const ids = rows.map(({ id }) => id)
  const [secured, locks] = [await withSecondFactor(db, ids), await locksOf(db, ids, now)]
  return rows.map((row) => toOrganizationUser(row, secured.has(row.id), locks.get(row.id)))
}

export async function listUser(db: Reader, row: Row, now: number): Promise<OrganizationUser> {
  const [user] = await toOrganizationUsers(db, [row], now)
  return user as OrganizationUser
}

export async function statisticsOf(db: Reader, scope: Scope): Promise<Result<typeof contract.current>['statistics']> {
  const counts = await selectCounts(db, scope)
  const sum = (which: (row: (typeof counts)[number]) => boolean) =>
    counts.filter(which).reduce((total, { users }) => total + users, 0)
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
 * Maximum uses of its rarest word for which a search reads the users of that word; above it, going through all users in
 * order is faster, because matches come soon. The limit by name is higher, because the words have that order.
 */
const fewUses = { byName: 50_000, else: 10_000 }

interface Search extends Looking {
  total: number
}

/** Counts no further than needed: a word that thousands have needs no exact number. */
async function planSearch(db: Reader, scope: Scope, typed: readonly string[], sort: UserSort): Promise<Search> {
  const counted: (Sought & { uses: number })[] = []
  for (const word of typed) {
    const uses = await countUses(db, scope, word, fewUses.byName + 1)
    counted.push({ word, uses, isRare: uses <= fewUses.byName })
  }
  const words: typeof counted = counted.toSorted((one, other) => one.uses - other.uses)
  const { word = '', uses = 0, isRare = true } = words[0] ?? {}
  words[0] = { word, uses, isRare, whole: await findWhole(db, scope, word) }
  const total = await countMatches(db, scope, { words, isRare })
  return { words, isRare: uses <= (sort === 'name' ? fewUses.byName : fewUses.else), total }
}

const none: Page = { users: [], next: null, total: 0, more: false }

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
  const typed = typedWords(search)
  if (typed.length === 0 && search.trim() !== '') return none
  const found = typed.length === 0 ? undefined : await planSearch(db, scope, typed, sort)
  if (found?.total === 0) return none
  const rows = await selectUsers(db, scope, { sort, direction, from, limit: limit + 1, search: found })
  const users = rows.slice(0, limit)
  const last = users.at(-1)
  const isLast = rows.length <= limit || last === undefined
  const total = found?.total ?? (await statisticsOf(db, scope)).total
  const most = limits.userSearchCounted
  return {
    users: await toOrganizationUsers(db, users, now),
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
