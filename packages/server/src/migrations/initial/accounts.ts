import { afterEach, type Statement } from '../ddl.ts'

const organizations: readonly Statement[] = [
  `create table organizations (
    id text primary key not null,
    name text not null,
    type text not null,
    policy text not null default '{}',
    created_at integer not null
  ) strict`,
  // A sign-up without an invitation joins the oldest organization.
  'create index organizations_by_age on organizations (created_at, id)',
  `create table invitations (
    id text primary key not null,
    token_hash text not null unique,
    organization_id text not null references organizations (id),
    role text not null check (role in ('user', 'org_admin', 'super_admin')),
    created_by text,
    created_at integer not null,
    expires_at integer,
    used_at integer,
    used_by text,
    revoked_at integer
  ) strict`,
  'create index invitations_by_organization on invitations (organization_id, id)',
  'create index invitations_by_creator on invitations (created_by) where created_by is not null',
  'create index invitations_by_guest on invitations (used_by) where used_by is not null',
]

const growSendingVersion = (user: string): string =>
  `update users set sending_version = sending_version + 1 where id = ${user};`

const users: readonly Statement[] = [
  // recovery_key_unsaved is 1 from the sign-up until the user confirms that the recovery key is saved.
  // failures_settled_at: a new password, or the user's confirmation, settles the failed sign-ins up to this time.
  // only_approved: seeds of epochs are sealed to listed browsers (sealed_seeds), not under the account key.
  // mode_changes counts the changes of only_approved; mode_signature: of the newest, by the identity key.
  // publication_due: since then a browser was removed or the mode switched on, and no epochs have been published.
  // password_version: the Argon2id cost with which the browser derived the password.
  `create table users (
    id text primary key not null,
    username text not null unique,
    email text not null unique,
    first_name text not null,
    last_name text not null,
    name_key text not null default '',
    role text not null check (role in ('user', 'org_admin', 'super_admin')),
    organization_id text not null references organizations (id),
    connection_code text not null unique,
    password_hash text not null,
    password_version integer not null default 1,
    is_active integer not null default 1 check (is_active in (0, 1)),
    suspended integer not null default 0 check (suspended in (0, 1)),
    created_at integer not null,
    identity_key text,
    former_keys text not null default '[]',
    wrapped_identity_seed text,
    wrapped_account_key text,
    recovery_wrapped_account_key text,
    recovery_proof_hash text,
    recovery_key_unsaved integer not null default 0,
    failures_settled_at integer not null default 0,
    reminded_at integer not null default 0,
    sending_version integer not null default 0,
    recovery_kem_key text,
    recovery_kem_signature text,
    only_approved integer not null default 0 check (only_approved in (0, 1)),
    mode_changes integer not null default 0,
    mode_signature text,
    publication_due integer not null default 0 check (publication_due in (0, 1)),
    pins_version integer not null default 0,
    pins text not null default ''
  ) strict`,
  // One index per sort order of an administrator's list of users; the id makes each position unique.
  'create index users_by_name on users (organization_id, name_key, id)',
  'create index users_by_email on users (organization_id, email, id)',
  'create index users_by_role on users (organization_id, role, name_key, id)',
  'create index users_by_status on users (organization_id, is_active, name_key, id)',
  'create index users_by_joining on users (organization_id, created_at, id)',
  // The founder lists the users of all organizations.
  'create index users_by_name_everywhere on users (name_key, id)',
  'create index users_by_email_everywhere on users (email, id)',
  'create index users_by_joining_everywhere on users (created_at, id)',
  // Words whose prefixes find a user.
  `create table user_words (
    user_id text not null references users (id) on delete cascade,
    word text not null,
    organization_id text not null,
    name_key text not null,
    primary key (user_id, word)
  ) strict, without rowid`,
  'create index user_words_by_word on user_words (organization_id, word, name_key)',
  'create index user_words_everywhere on user_words (word, name_key)',
  'create table retired_users (id text primary key not null, retired_at integer not null) strict',
  `create table preferences (
    user_id text primary key not null references users (id) on delete cascade,
    chosen text not null
  ) strict`,
]

const keys: readonly Statement[] = [
  // wrapped_former_key is deleted with its epoch: a browser's data wrapped under the former account key stays
  // readable that long. is_destroyed: the seed is gone; the newest epoch stays without it, for the next to follow.
  `create table epochs (
    user_id text not null references users (id) on delete cascade,
    n integer not null,
    public_key text not null,
    created_at integer not null,
    starts_at integer not null,
    ends_at integer not null,
    used_until integer not null,
    previous_hash text not null,
    features integer not null,
    signature text not null,
    wrapped_seed text,
    wrapped_former_key text,
    is_destroyed integer not null default 0 check (is_destroyed in (0, 1)),
    primary key (user_id, n)
  ) strict`,
  'create index epochs_by_end on epochs (used_until) where is_destroyed = 0',
]

/** The list of each user's browsers, and the seeds of epochs that are sealed to them. */
const browsers: readonly Statement[] = [
  // n to browser_signature: the newest entry, as the browser signed it. A browser that is no longer listed keeps what
  // was sealed to it. commitment to own_nonce: the comparison that approves it.
  `create table browsers (
    user_id text not null references users (id) on delete cascade,
    browser_id text not null,
    n integer not null,
    kem_key text not null,
    sign_key text not null,
    created_at integer not null,
    signature text not null,
    browser_signature text not null,
    is_listed integer not null check (is_listed in (0, 1)),
    name text not null,
    first_used_at integer not null,
    last_used_at integer not null,
    approved_at integer,
    commitment text,
    approval_started_at integer,
    approver_id text,
    approver_nonce text,
    own_nonce text,
    primary key (user_id, browser_id)
  ) strict`,
  // The links of all entries: another browser that missed some follows them from the signing key that it has seen.
  `create table browser_links (
    user_id text not null,
    browser_id text not null,
    n integer not null,
    sign_key text not null,
    entry_hash text not null,
    signature text not null,
    primary key (user_id, browser_id, n),
    foreign key (user_id, browser_id) references browsers (user_id, browser_id) on delete cascade
  ) strict`,
  `create table browser_removals (
    user_id text not null references users (id) on delete cascade,
    browser_id text not null,
    created_at integer not null,
    signature text not null,
    removed_at integer not null,
    primary key (user_id, browser_id)
  ) strict`,
  // Sealed to the recovery key where browser_id is the user's id.
  `create table sealed_seeds (
    user_id text not null,
    n integer not null,
    browser_id text not null,
    sealed text not null,
    primary key (user_id, n, browser_id),
    foreign key (user_id, n) references epochs (user_id, n) on delete cascade
  ) strict`,
  'create index sealed_seeds_by_browser on sealed_seeds (user_id, browser_id)',
]

/** The database raises the version, so a process may cache a sender's facts until the version changes. */
const sendingVersion: readonly Statement[] = [
  afterEach({
    name: 'users_change_sending',
    when: 'after update of first_name, last_name, is_active, suspended on users',
    does: growSendingVersion('new.id'),
  }),
  afterEach({
    name: 'epochs_change_sending',
    when: 'after insert on epochs',
    does: growSendingVersion('new.user_id'),
  }),
]

const countIn = `insert into user_counts (organization_id, role, is_active, users)
    values (new.organization_id, new.role, new.is_active * (1 - new.suspended), 1)
    on conflict (organization_id, role, is_active) do update set users = user_counts.users + 1;`

const countOut = `update user_counts set users = users - 1
    where organization_id = old.organization_id and role = old.role
      and is_active = old.is_active * (1 - old.suspended);`

/** Users per organization. Triggers count, so no statement that changes a user can miss it. */
const counts: readonly Statement[] = [
  // A suspended user counts as not active.
  `create table user_counts (
    organization_id text not null references organizations (id) on delete cascade,
    role text not null,
    is_active integer not null,
    users integer not null,
    primary key (organization_id, role, is_active)
  ) strict, without rowid`,
  afterEach({ name: 'users_counted_in', when: 'after insert on users', does: countIn }),
  afterEach({ name: 'users_counted_out', when: 'after delete on users', does: countOut }),
  afterEach({
    name: 'users_counted_again',
    when: 'after update of organization_id, role, is_active, suspended on users',
    does: `${countOut}\n    ${countIn}`,
  }),
]

export const accounts: readonly Statement[] = [
  ...organizations,
  ...users,
  ...keys,
  ...browsers,
  ...sendingVersion,
  ...counts,
]
