import { limits } from '@privity/contract/limits'
import type { UserSort } from '@privity/contract/organization'
import type { Value, Reader } from '../../../core/database/types.ts'
import type { UserCountRow } from '../../../core/database/tables/organization.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'

export type Direction = 'asc' | 'desc'

const shown = [
  'id',
  'username',
  'first_name',
  'last_name',
  'email',
  'role',
  'is_active',
  'suspended',
  'created_at',
] as const

export type ListedRow = Pick<UserRow, (typeof shown)[number] | 'name_key'>

type Column = 'name_key' | 'email' | 'role' | 'is_active' | 'created_at' | 'id'

/** The users of one organization, or of all. */
export type Scope = string | 'everywhere'

/** Condition and parameters that limit rows to a scope. */
const within = (scope: Scope, column: string): { sql: string; params: string[] } =>
  scope === 'everywhere' ? { sql: '1 = 1', params: [] } : { sql: `${column} = ?`, params: [scope] }

/**
 * Columns of each order; an index has the same columns in the same order. For 'everywhere', only name, email and joined
 * have one.
 */
const orders: Record<UserSort, readonly Column[]> = {
  name: ['name_key', 'id'],
  email: ['email', 'id'],
  role: ['role', 'name_key', 'id'],
  status: ['is_active', 'name_key', 'id'],
  joined: ['created_at', 'id'],
}

export const columnsOf = (sort: UserSort): readonly Column[] => orders[sort]

/** The end of the range of texts that begin with a word, in the order of bytes. */
const behind = (word: string) => `${word}\u{10FFFF}`

const range = (word: string): string[] => [word, behind(word)]

/** A word of a search, and whether so few users have it that all of them can be looked up. */
export interface Sought {
  word: string
  isRare: boolean
  /**
   * The whole word, if every word that begins like this is the same: its users are stored in the order of their names.
   */
  whole?: string | undefined
}

/** A search for users who have all of these words: among the users of the first word, or among all users. */
export interface Looking {
  words: readonly Sought[]
  isRare: boolean
}

/**
 * The condition that a user has this word too; `coalesce` keeps the database from starting with the users of this word.
 */
const hasWord = (scope: Scope, userId: string, { isRare }: Sought): string =>
  isRare
    ? ` and coalesce(${userId}, '') in (select o.user_id from user_words o
        where ${within(scope, 'o.organization_id').sql} and o.word >= ? and o.word < ?)`
    : ` and exists (select 1 from user_words o where o.user_id = ${userId} and o.word >= ? and o.word < ?)`

function having(scope: Scope, userId: string, words: readonly Sought[]) {
  const { params } = within(scope, '')
  return {
    sql: words.map((sought) => hasWord(scope, userId, sought)).join(''),
    params: words.flatMap(({ word, isRare }) => [...(isRare ? params : []), ...range(word)]),
  }
}

/** Uses of the first word by users who have the other words too. */
function usesOf(scope: Scope, [first, ...others]: readonly Sought[]) {
  const { sql, params } = having(scope, 'w.user_id', others)
  const { word = '', whole } = first ?? {}
  const begins = whole === undefined ? 'w.word >= ? and w.word < ?' : 'w.word = ?'
  const here = within(scope, 'w.organization_id')
  const from = `user_words w where ${here.sql} and ${begins}${sql}`
  return { from, params: [...here.params, ...(whole === undefined ? range(word) : [whole]), ...params] }
}

function matching(scope: Scope, search: Looking | undefined) {
  if (search?.isRare === true) {
    const { from, params } = usesOf(scope, search.words)
    // In SQLite a cross join also sets the order: users with the word first.
    return { from: `(select distinct w.user_id from ${from}) m cross join users u where u.id = m.user_id`, params }
  }
  const { sql, params } = having(scope, 'u.id', search?.words ?? [])
  const here = within(scope, 'u.organization_id')
  return { from: `users u where ${here.sql}${sql}`, params: [...here.params, ...params] }
}

export function selectCounts(db: Reader, scope: Scope) {
  const { sql, params } = within(scope, 'organization_id')
  return db.all<Pick<UserCountRow, 'role' | 'is_active' | 'users'>>(
    `select role, is_active, users from user_counts where ${sql}`,
    params,
  )
}

async function countUpTo(db: Reader, most: number, rows: string, params: readonly Value[]): Promise<number> {
  const found = await db.get<{ counted: number }>(`select count(*) as counted from (${rows} limit ?) counted`, [
    ...params,
    most,
  ])
  return found?.counted ?? 0
}

/** Counts the words of users that begin like this, up to `most`; a user can have several. */
export function countUses(db: Reader, scope: Scope, word: string, most: number): Promise<number> {
  const { from, params } = usesOf(scope, [{ word, isRare: true }])
  return countUpTo(db, most, `select 1 from ${from}`, params)
}

/** The whole word, if only one word begins like this. */
export async function findWhole(db: Reader, scope: Scope, word: string): Promise<string | undefined> {
  const { from, params } = usesOf(scope, [{ word, isRare: true }])
  const end = (way: 'asc' | 'desc') =>
    db.get<{ word: string }>(`select w.word from ${from} order by w.word ${way} limit 1`, params)
  const [first, last] = [await end('asc'), await end('desc')]
  return first?.word === last?.word ? first?.word : undefined
}

/** Counts the users who have all the words, up to one more than the largest number shown. */
export function countMatches(db: Reader, scope: Scope, { words, isRare }: Looking): Promise<number> {
  const most = limits.userSearchCounted + 1
  const { from, params } = isRare ? usesOf(scope, words) : matching(scope, { words, isRare })
  return countUpTo(db, most, isRare ? `select distinct w.user_id from ${from}` : `select 1 from ${from}`, params)
}

export interface Wanted {
  sort: UserSort
  direction: Direction
  /** Continues after these values of the columns it is sorted by. */
  from: readonly Value[] | undefined
  limit: number
  search: Looking | undefined
}

const selected = [...shown, 'name_key'].map((column) => `u.${column}`).join(', ')
const places = (values: readonly unknown[]) => values.map(() => '?').join(', ')

export function selectUsers(db: Reader, scope: Scope, wanted: Wanted): Promise<ListedRow[]> {
  const { sort, direction, from: start, limit, search } = wanted
  // Active users come first in ascending order of status.
  const isUpwards = (direction === 'asc') !== (sort === 'status')
  const [way, behindStart] = isUpwards ? ['asc', '>'] : ['desc', '<']
  const inOrder = (columns: readonly string[]) => ({
    after: start === undefined ? '' : ` and (${columns.join(', ')}) ${behindStart} (${places(start)})`,
    order: `order by ${columns.map((column) => `${column} ${way}`).join(', ')}`,
  })
  const { after, order } = inOrder(columnsOf(sort).map((column) => `u.${column}`))
  if (search?.isRare === true && sort === 'name') {
    const { from, params } = usesOf(scope, search.words)
    const words = inOrder(['w.name_key', 'w.user_id'])
    const found = `select distinct w.name_key, w.user_id from ${from}${words.after} ${words.order} limit ?`
    return db.all(`select ${selected} from (${found}) m cross join users u where u.id = m.user_id ${order}`, [
      ...params,
      ...(start ?? []),
      limit,
    ])
  }
  const { from, params } = matching(scope, search)
  return db.all(`select ${selected} from ${from}${after} ${order} limit ?`, [...params, ...(start ?? []), limit])
}
