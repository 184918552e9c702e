import { appendOnly, type Statement } from '../ddl.ts'

const isForeignTarget = 'target_organization is distinct from actor_organization'

export const auditLog: readonly Statement[] = [
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
  'create index audit_log_by_time on audit_log (created_at)',
  'create index audit_log_by_actor on audit_log (actor_id, created_at)',
  'create index audit_log_by_target on audit_log (target_id, created_at) where target_id is distinct from actor_id',
  'create index audit_log_by_actors on audit_log (actor_organization, created_at)',
  'create index audit_log_by_actors_action on audit_log (actor_organization, action, created_at)',
  `create index audit_log_by_targets on audit_log (target_organization, created_at) where ${isForeignTarget}`,
  `create index audit_log_by_targets_action on audit_log (target_organization, action, created_at)
    where ${isForeignTarget}`,
  // Lets the security status read a user's newest renewal quickly, however long the log is.
  `create index audit_log_recovery_key_renewals on audit_log (actor_id, seq)
    where action = 'recovery_key_renewed'`,
  ...appendOnly('audit_log'),
  // The log holds a commitment to each address, so addresses can be deleted without breaking the chain.
  `create table audit_addresses (
    seq integer primary key not null,
    salt text not null,
    address text not null,
    created_at integer not null
  ) strict`,
  'create index audit_addresses_by_time on audit_addresses (created_at)',
  'create index audit_addresses_by_address on audit_addresses (address, created_at)',
  `create table audit_heads (
    n integer primary key not null,
    seq integer not null,
    hash text not null,
    signed_at integer not null,
    signature text not null
  ) strict`,
  ...appendOnly('audit_heads'),
  // Exports that were requested and not yet downloaded: any process may serve the download.
  `create table audit_exports (
    id text primary key not null,
    session_id text not null references sessions (id) on delete cascade,
    organization_id text not null,
    format text not null,
    snapshot text not null,
    made_at integer not null
  ) strict`,
  'create index audit_exports_by_session on audit_exports (session_id)',
  'create index audit_exports_by_time on audit_exports (made_at)',
]
