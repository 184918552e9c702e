import { limits } from '@privity/contract/limits'
import type { UserSort } from '@privity/contract/organization'
import type { Reader, Value } from '../../core/db.ts'
import type { UserCountRow } from '../../core/rows/organization.ts'
import type { UserRow } from '../../core/schema.ts'

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

/** What each order goes by; an index has the same columns in the same order. */
const orders: Record<UserSort, readonly Column[]> = {
  name: ['name_key', 'id'],
  email: ['email', 'id'],
  role: ['role', 'name_key', 'id'],
  status: ['is_active', 'name_key', 'id'],
  joined: ['created_at', 'id'],
}

export const columnsOf = (sort: UserSort): readonly Column[] => orders[sort]

/** Behind everything that begins with a word, in the order of bytes. */
const behind = (word: string) => `${word}\u{10FFFF}`

const begins = 'w.word >= ? and w.word < ?'
const hasWord = `exists (select 1 from user_words w where w.user_id = u.id and ${begins})`
const range = (words: readonly string[]): string[] => words.flatMap((word) => [word, behind(word)])

/** Users of an organization that have all these words: looked for among those with the first, or among all. */
function matching(organizationId: string, search: { words: readonly string[]; isRare: boolean } | undefined) {
  if (search === undefined) return { from: 'users u where u.organization_id = ?', params: [organizationId] }
  const { words, isRare } = search
  const [rarest = '', ...others] = words
  if (!isRare) {
    const from = `users u where u.organization_id = ?${` and ${hasWord}`.repeat(words.length)}`
    return { from, params: [organizationId, ...range(words)] }
  }
  const having = `select distinct w.user_id from user_words w where w.organization_id = ? and ${begins}`
  // In SQLite a cross join is also an order: first those with the word.
  const from = `(${having}) m cross join users u where u.id = m.user_id${` and ${hasWord}`.repeat(others.length)}`
  return { from, params: [organizationId, ...range([rarest]), ...range(others)] }
}

export const selectCounts = (db: Reader, organizationId: string) =>
  db.all<Pick<UserCountRow, 'role' | 'is_active' | 'users'>>(
    'select role, is_active, users from user_counts where organization_id = ?',
    [organizationId],
  )

async function countUpTo(db: Reader, rows: string, params: readonly Value[]): Promise<number> {
  const counted = `select count(*) as users from (${rows} limit ?) counted`
  return (await db.get<{ users: number }>(counted, [...params, limits.userSearchCounted + 1]))?.users ?? 0
}

/** How many have a word that begins like this; one more than is counted stands for all above. */
export const countWord = (db: Reader, organizationId: string, word: string): Promise<number> =>
  countUpTo(db, `select distinct w.user_id from user_words w where w.organization_id = ? and ${begins}`, [
    organizationId,
    ...range([word]),
  ])

/** How many have all the words, counted like one word. */
export function countMatches(
  db: Reader,
  organizationId: string,
  search: { words: readonly string[]; isRare: boolean },
): Promise<number> {
  const { from, params } = matching(organizationId, search)
  return countUpTo(db, `select 1 from ${from}`, params)
}

export interface Wanted {
  sort: UserSort
  direction: Direction
  /** Goes on behind these values of the columns it is sorted by. */
  from: readonly Value[] | undefined
  limit: number
  search: { words: readonly string[]; isRare: boolean } | undefined
}

export function selectUsers(db: Reader, organizationId: string, wanted: Wanted): Promise<ListedRow[]> {
  const { sort, direction, from: start, limit, search } = wanted
  const columns = columnsOf(sort).map((column) => `u.${column}`)
  // Who is active comes first where one sorts upwards by status.
  const isUpwards = (direction === 'asc') !== (sort === 'status')
  const { from, params } = matching(organizationId, search)
  const behindStart = `and (${columns.join(', ')}) ${isUpwards ? '>' : '<'} (${columns.map(() => '?').join(', ')})`
  const order = columns.map((column) => `${column} ${isUpwards ? 'asc' : 'desc'}`).join(', ')
  const selected = [...shown, 'name_key'].map((column) => `u.${column}`).join(', ')
  return db.all(`select ${selected} from ${from} ${start === undefined ? '' : behindStart} order by ${order} limit ?`, [
    ...params,
    ...(start ?? []),
    limit,
  ])
}
