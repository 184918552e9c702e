import { limits } from '@privity/contract/limits'
import type { UserSort } from '@privity/contract/organization'
import type { Value, Reader } from '../../../core/database/types.ts'
import type { UserCountRow } from '../../../core/database/tables/organization.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'

export type Direction = 'asc' | 'desc'

const listedColumns = [
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

export type ListedRow = Pick<UserRow, (typeof listedColumns)[number] | 'name_key'>

type Column = 'name_key' | 'email' | 'role' | 'is_active' | 'created_at' | 'id'

/** The users of one organization, or of all. */
export type Scope = string | 'everywhere'

/** Condition and parameters that limit rows to a scope. */
const scopeCondition = (scope: Scope, column: string): { sql: string; params: string[] } =>
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
const prefixEnd = (word: string) => `${word}\u{10FFFF}`

const prefixRange = (word: string): string[] => [word, prefixEnd(word)]

/** A word of a search, and whether so few users have it that all of them can be looked up. */
export interface SearchWord {
  word: string
  isRare: boolean
  /**
   * The one word in the index that begins like this, if there is only one: its users are stored in the order of their
   * names.
   */
  exactWord?: string | undefined
}

/** A search for users who have all of these words: among those of the first word if `isRare`, else among all users. */
export interface WordSearch {
  words: readonly SearchWord[]
  isRare: boolean
}

/** The condition that a user has this word too; `coalesce` keeps the database from starting with this word's users. */
const hasWord = (scope: Scope, userId: string, { isRare }: SearchWord): string =>
  isRare
    ? ` and coalesce(${userId}, '') in (select o.user_id from user_words o
        where ${scopeCondition(scope, 'o.organization_id').sql} and o.word >= ? and o.word < ?)`
    : ` and exists (select 1 from user_words o where o.user_id = ${userId} and o.word >= ? and o.word < ?)`

function otherWordConditions(scope: Scope, userId: string, words: readonly SearchWord[]) {
  const { params } = scopeCondition(scope, '')
  return {
    sql: words.map((word) => hasWord(scope, userId, word)).join(''),
    params: words.flatMap(({ word, isRare }) => [...(isRare ? params : []), ...prefixRange(word)]),
  }
}

/** Uses of the first word by users who have the other words too. */
function wordUses(scope: Scope, [first, ...others]: readonly SearchWord[]) {
  const { sql, params } = otherWordConditions(scope, 'w.user_id', others)
  const { word = '', exactWord } = first ?? {}
  const condition = exactWord === undefined ? 'w.word >= ? and w.word < ?' : 'w.word = ?'
  const here = scopeCondition(scope, 'w.organization_id')
  const from = `user_words w where ${here.sql} and ${condition}${sql}`
  return { from, params: [...here.params, ...(exactWord === undefined ? prefixRange(word) : [exactWord]), ...params] }
}

function matchingUsers(scope: Scope, search: WordSearch | undefined) {
  if (search?.isRare === true) {
    const { from, params } = wordUses(scope, search.words)
    // In SQLite a cross join also sets the order: users with the word first.
    return { from: `(select distinct w.user_id from ${from}) m cross join users u where u.id = m.user_id`, params }
  }
  const { sql, params } = otherWordConditions(scope, 'u.id', search?.words ?? [])
  const here = scopeCondition(scope, 'u.organization_id')
  return { from: `users u where ${here.sql}${sql}`, params: [...here.params, ...params] }
}

export function selectCounts(db: Reader, scope: Scope) {
  const { sql, params } = scopeCondition(scope, 'organization_id')
  return db.all<Pick<UserCountRow, 'role' | 'is_active' | 'users'>>(
    `select role, is_active, users from user_counts where ${sql}`,
    params,
  )
}

async function countUpTo(db: Reader, max: number, rows: string, params: readonly Value[]): Promise<number> {
  const found = await db.get<{ counted: number }>(`select count(*) as counted from (${rows} limit ?) counted`, [
    ...params,
    max,
  ])
  return found?.counted ?? 0
}

/** Counts the words of users that begin like this, up to `max`; a user can have several. */
export function countUses(db: Reader, scope: Scope, word: string, max: number): Promise<number> {
  const { from, params } = wordUses(scope, [{ word, isRare: true }])
  return countUpTo(db, max, `select 1 from ${from}`, params)
}

/** Returns the word in the index that begins like this, if there is only one. */
export async function findExactWord(db: Reader, scope: Scope, word: string): Promise<string | undefined> {
  const { from, params } = wordUses(scope, [{ word, isRare: true }])
  const end = (way: 'asc' | 'desc') =>
    db.get<{ word: string }>(`select w.word from ${from} order by w.word ${way} limit 1`, params)
  const [first, last] = [await end('asc'), await end('desc')]
  return first?.word === last?.word ? first?.word : undefined
}

/** Counts the users who have all the words, up to one more than the largest number shown. */
export function countMatches(db: Reader, scope: Scope, { words, isRare }: WordSearch): Promise<number> {
  const max = limits.userSearchCounted + 1
  const { from, params } = isRare ? wordUses(scope, words) : matchingUsers(scope, { words, isRare })
  return countUpTo(db, max, isRare ? `select distinct w.user_id from ${from}` : `select 1 from ${from}`, params)
}

export interface PageQuery {
  sort: UserSort
  direction: Direction
  /** Continues after these values of the columns it is sorted by. */
  from: readonly Value[] | undefined
  limit: number
  search: WordSearch | undefined
}

const selected = [...listedColumns, 'name_key'].map((column) => `u.${column}`).join(', ')
const questionMarks = (values: readonly unknown[]) => values.map(() => '?').join(', ')

export function selectUsers(db: Reader, scope: Scope, query: PageQuery): Promise<ListedRow[]> {
  const { sort, direction, from: start, limit, search } = query
  // Active users come first in ascending order of status.
  const isUpwards = (direction === 'asc') !== (sort === 'status')
  const [way, behindStart] = isUpwards ? ['asc', '>'] : ['desc', '<']
  const inOrder = (columns: readonly string[]) => ({
    after: start === undefined ? '' : ` and (${columns.join(', ')}) ${behindStart} (${questionMarks(start)})`,
    order: `order by ${columns.map((column) => `${column} ${way}`).join(', ')}`,
  })
  const { after, order } = inOrder(columnsOf(sort).map((column) => `u.${column}`))
  if (search?.isRare === true && sort === 'name') {
    const { from, params } = wordUses(scope, search.words)
    const words = inOrder(['w.name_key', 'w.user_id'])
    const found = `select distinct w.name_key, w.user_id from ${from}${words.after} ${words.order} limit ?`
    return db.all(`select ${selected} from (${found}) m cross join users u where u.id = m.user_id ${order}`, [
      ...params,
      ...(start ?? []),
      limit,
    ])
  }
  const { from, params } = matchingUsers(scope, search)
  return db.all(`select ${selected} from ${from}${after} ${order} limit ?`, [...params, ...(start ?? []), limit])
}
