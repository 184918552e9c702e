import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { addressText, emptyChain, type ProvenEntry } from '@privity/contract/auditProof'
import { chainLeaf, hashText, leafOf } from '../core/audit/hashChain.ts'
import { appendOnly, change, isSqlite } from './ddl.ts'

interface OldEntry {
  seq: number
  created_at: number
  action: string
  actor_id: string | null
  target_id: string | null
  address: string | null
  details: string
  hash: string
}

const tables = [
  'alter table audit_log rename to old_audit_log',
  `create table audit_log (
    seq integer primary key not null,
    created_at integer not null,
    action text not null,
    actor_id text,
    actor_organization text,
    target_id text,
    target_organization text,
    address_commitment text,
    details text not null,
    nonce text not null,
    hash text not null
  ) strict`,
  `create table audit_addresses (
    seq integer primary key not null,
    salt text not null,
    address text not null,
    created_at integer not null
  ) strict`,
  `create table audit_heads (
    n integer primary key not null,
    seq integer not null,
    hash text not null,
    signed_at integer not null,
    signature text not null
  ) strict`,
]

const foreignTarget = 'target_organization is distinct from actor_organization'

/** With the old table go its triggers and indexes, and their names are free. */
const finish = [
  'drop table old_audit_log',
  'create index audit_addresses_by_time on audit_addresses (created_at)',
  'create index audit_log_by_time on audit_log (created_at)',
  'create index audit_log_by_actor on audit_log (actor_id, created_at)',
  'create index audit_log_by_target on audit_log (target_id, created_at) where target_id is distinct from actor_id',
  'create index audit_log_by_actors on audit_log (actor_organization, created_at)',
  'create index audit_log_by_actors_action on audit_log (actor_organization, action, created_at)',
  `create index audit_log_by_targets on audit_log (target_organization, created_at) where ${foreignTarget}`,
  `create index audit_log_by_targets_action on audit_log (target_organization, action, created_at)
    where ${foreignTarget}`,
  // The newest of one's own, asked for by the security status however long one's log has become.
  `create index audit_log_recovery_key_renewals on audit_log (actor_id, seq)
    where action = 'recovery_key_renewed'`,
  ...appendOnly('audit_log'),
  ...appendOnly('audit_heads'),
]

/** Of users, and of deleted ones where there is only one organization they can have been of. */
async function readOrganizations(db: Kysely<unknown>): Promise<Map<string, string>> {
  const users = await sql<{ id: string; organization: string }>`
    select id, organization_id as organization from users`.execute(db)
  const deleted = await sql<{ id: string; organization: string }>`
    select id, (select max(id) from organizations) as organization from retired_users
    where (select count(*) from organizations) = 1`.execute(db)
  return new Map([...deleted.rows, ...users.rows].map(({ id, organization }) => [id, organization]))
}

async function insert(db: Kysely<unknown>, entry: ProvenEntry, hash: string): Promise<void> {
  await sql`insert into audit_log (seq, created_at, action, actor_id, actor_organization, target_id,
      target_organization, address_commitment, details, nonce, hash)
    values (${entry.seq}, ${entry.at}, ${entry.action}, ${entry.actorId}, ${entry.actorOrganization},
      ${entry.targetId}, ${entry.targetOrganization}, ${entry.addressCommitment}, ${entry.details}, ${entry.nonce},
      ${hash})`.execute(db)
}

async function carryOver(db: Kysely<unknown>, organizations: Map<string, string>): Promise<void> {
  const nonce = () => randomBytes(16).toString('base64url')
  const organizationOf = (id: string | null) => (id === null ? null : (organizations.get(id) ?? null))
  let chain = emptyChain
  let last: OldEntry | undefined
  for (;;) {
    const { rows } = await sql<OldEntry>`
      select * from old_audit_log where seq > ${last?.seq ?? 0} order by seq limit 1000`.execute(db)
    if (rows.length === 0) break
    for (const old of rows) {
      let addressCommitment: string | null = null
      if (old.address !== null) {
        const salt = randomBytes(32).toString('base64url')
        addressCommitment = hashText(addressText(salt, old.address))
        await sql`insert into audit_addresses values (${old.seq}, ${salt}, ${old.address}, ${old.created_at})`.execute(
          db,
        )
      }
      const entry = {
        seq: old.seq,
        at: old.created_at,
        action: old.action,
        actorId: old.actor_id,
        actorOrganization: organizationOf(old.actor_id),
        targetId: old.target_id,
        targetOrganization: organizationOf(old.target_id),
        addressCommitment,
        details: old.details,
        nonce: nonce(),
      }
      chain = chainLeaf(chain, leafOf(entry))
      await insert(db, entry, chain)
      last = old
    }
  }
  if (last === undefined) return
  const entry = {
    seq: last.seq + 1,
    at: last.created_at,
    action: 'audit_log_carried_over',
    actorId: null,
    actorOrganization: null,
    targetId: null,
    targetOrganization: null,
    addressCommitment: null,
    details: JSON.stringify({ entries: last.seq, formerHead: last.hash }),
    nonce: nonce(),
  }
  await insert(db, entry, chainLeaf(chain, leafOf(entry)))
}

async function carryAllOver(db: Kysely<unknown>): Promise<void> {
  await change(db, tables)
  await carryOver(db, await readOrganizations(db))
  await change(db, finish)
}

/**
 * The log with organizations, commitments to addresses and a chain over both. What was there is carried over in a
 * chain of its own; the entry after it holds the last hash of the chain before. All of it or nothing: on SQLite the
 * migrator itself uses no transaction here.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isSqlite(db)) return carryAllOver(db)
  const done = await sql`select 1 from sqlite_schema where name = 'audit_heads'`.execute(db)
  if (done.rows.length > 0) return
  await sql`begin immediate`.execute(db)
  try {
    await carryAllOver(db)
    await sql`commit`.execute(db)
  } catch (error) {
    await sql`rollback`.execute(db)
    throw error
  }
}
