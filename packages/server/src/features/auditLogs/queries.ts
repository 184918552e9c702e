import type { SignedHead } from '@privity/contract/auditProof'
import type { Value, Reader, Tx } from '../../core/database/types.ts'
import { padToPowerOfTwo } from '../../core/database/statements.ts'
import type { AuditRow } from '../../core/database/tables/audit.ts'
import type { UserRow } from '../../core/database/tables/users.ts'

export const selectLastEntry = (db: Reader) =>
  db.get<Pick<AuditRow, 'seq' | 'hash'>>('select seq, hash from audit_log order by seq desc limit 1')

export const selectEntryHash = async (db: Reader, seq: number) =>
  (await db.get<Pick<AuditRow, 'hash'>>('select hash from audit_log where seq = ?', [seq]))?.hash

const headColumns = 'n, seq, hash, signed_at as at, signature'

export const selectLastHead = (db: Reader) =>
  db.get<SignedHead>(`select ${headColumns} from audit_heads order by n desc limit 1`)

export const selectHead = (db: Reader, n: number) =>
  db.get<SignedHead>(`select ${headColumns} from audit_heads where n = ?`, [n])

export const insertHead = (tx: Tx, { n, seq, hash, at, signature }: SignedHead) =>
  tx.run('insert into audit_heads (n, seq, hash, signed_at, signature) values (?, ?, ?, ?, ?)', [
    n,
    seq,
    hash,
    at,
    signature,
  ])

export const selectHeads = (db: Reader, after: number, upTo: number, limit: number) =>
  db.all<SignedHead>(`select ${headColumns} from audit_heads where n > ? and n <= ? order by n limit ?`, [
    after,
    upTo,
    limit,
  ])

export type EntryWithAddress = AuditRow & { salt: string | null; address: string | null }

const withAddress = 'audit_log left join audit_addresses using (seq)'
const columns = 'audit_log.*, salt, address'

export const selectEntries = (db: Reader, after: number, upTo: number, limit: number) =>
  db.all<EntryWithAddress>(`select ${columns} from ${withAddress} where seq > ? and seq <= ? order by seq limit ?`, [
    after,
    upTo,
    limit,
  ])

/** Entries that concern an organization, oldest first. */
export const selectOwnEntries = (
  db: Reader,
  organizationId: string,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
) =>
  db.all<EntryWithAddress>(
    `select ${columns} from ${withAddress} where seq > ? and seq <= ?
       and (actor_organization = ? or target_organization = ?) order by seq limit ?`,
    [after, upTo, organizationId, organizationId, limit],
  )

export interface Filter {
  organizationId: string
  limit: number
  before?: number | undefined
  action?: string | undefined
  person?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** Conditions of a union, each with an index of its own. They exclude each other, so no entry is found twice. */
const branches = {
  organization: [
    'actor_organization = :organization',
    'target_organization = :organization and target_organization is distinct from actor_organization',
  ],
  person: [
    'actor_id = :person and (actor_organization = :organization or target_organization = :organization)',
    `target_id = :person and target_id is distinct from actor_id
       and (actor_organization = :organization or target_organization = :organization)`,
  ],
}

/** Newest first. An index serves every filter, however long the log is. */
export function selectFiltered(db: Reader, filter: Filter): Promise<EntryWithAddress[]> {
  const { organizationId, limit, before, action, person, from, to } = filter
  const params: Value[] = []
  const clauseOf = (branch: string) => {
    const values: Record<string, Value> = { organization: organizationId, person: person ?? '' }
    const bound = branch.replaceAll(/:(\w+)/g, (_, name: string) => {
      params.push(values[name] as Value)
      return '?'
    })
    const clauses = [bound]
    const add = (clause: string, ...values: Value[]) => {
      clauses.push(clause)
      params.push(...values)
    }
    if (action !== undefined) add('action = ?', action)
    if (from !== undefined) add('created_at >= ?', from)
    if (to !== undefined) add('created_at < ?', to)
    if (before !== undefined)
      add('(created_at, seq) < ((select created_at from audit_log where seq = ?), ?)', before, before)
    params.push(limit)
    return `select * from (select * from audit_log where ${clauses.join(' and ')}
      order by created_at desc, seq desc limit ?) as branch`
  }
  const found = branches[person === undefined ? 'organization' : 'person'].map(clauseOf).join(' union all ')
  return db.all(
    `select found.*, salt, address from (${found}) as found left join audit_addresses using (seq)
     order by found.created_at desc, seq desc limit ?`,
    [...params, limit],
  )
}

/** Steps from one action to the next by index: `distinct` would read the whole log. */
const actionsWhere = (clause: string) => `
  select min(action) as action from audit_log where ${clause}
  union all
  select (select min(action) from audit_log where ${clause} and action > actions.action) from actions
  where actions.action is not null`

export async function selectActions(db: Reader, organizationId: string): Promise<string[]> {
  const [actors, targets] = branches.organization.map((branch) => branch.replace(':organization', '?')) as [
    string,
    string,
  ]
  const found = await Promise.all(
    [actors, targets].map((clause) =>
      db.all<{ action: string }>(
        `with recursive actions (action) as (${actionsWhere(clause)}) select action from actions where action is not null`,
        [organizationId, organizationId],
      ),
    ),
  )
  return [...new Set(found.flat().map(({ action }) => action))].sort()
}

export const selectPeople = (db: Reader, ids: readonly string[]) =>
  db.kysely
    .selectFrom('users')
    .select(['id', 'username', 'first_name', 'last_name', 'email', 'organization_id'])
    .where('id', 'in', padToPowerOfTwo(ids))
    .execute()

export type PersonRow = Pick<UserRow, 'id' | 'username' | 'first_name' | 'last_name' | 'email' | 'organization_id'>

export const selectRetired = (db: Reader, ids: readonly string[]) =>
  db.kysely.selectFrom('retired_users').select('id').where('id', 'in', padToPowerOfTwo(ids)).execute()

/** Deletes at most `limit` addresses, the oldest first. */
export const deleteAddresses = (tx: Tx, before: number, limit: number) =>
  tx.run(
    `delete from audit_addresses where seq in
       (select seq from audit_addresses where created_at < ? order by created_at limit ?)`,
    [before, limit],
  )
