import type { Generated } from 'kysely'
import type { AlertDeliveryRow, AlertRow, AlertSettingsRow, AlertWindowRow } from './rows/alerts.ts'
import type { AuditExportRow } from './rows/auditExports.ts'
import type { FileAuthorizationRow, FileDownloadRow, FileRow, UploadRow } from './rows/files.ts'
import type { BlockRow, ConnectionEndingRow, FormerContactRow } from './rows/connections.ts'
import type { ConnectionMinuteRow, MessageMinuteRow, PeopleCountRow } from './rows/monitoring.ts'
import type { IncidentAcknowledgementRow } from './rows/incidents.ts'
import type { PreferencesRow } from './rows/preferences.ts'
import type { NotificationRow } from './rows/notifications.ts'
import type {
  AuthenticatorAppRow,
  AuthenticatorSetupRow,
  PasskeyChallengeRow,
  PasskeyRow,
  ProposedPasswordRow,
  SignInTicketRow,
} from './rows/secondFactor.ts'
import type { SessionRow } from './rows/sessions.ts'
import type { EnvelopeRow, MessageRow } from './rows/messages.ts'
import type { MessageFlagRow } from './rows/moderation.ts'
import type { UserCountRow, UserWordRow } from './rows/organization.ts'
import type { FounderAppRow, FounderReportKeyRow, FounderSessionRow, FounderTicketRow } from './rows/founder.ts'
import type { SupportRequestRow } from './rows/support.ts'

/** A row whose columns `D` may be left out on insert. */
type Defaulted<Row, D extends keyof Row> = Omit<Row, D> & { [Column in D]: Generated<Row[Column]> }

/**
 * The tables as rows have them: ids are text, times are integer milliseconds, yes and no are 1 and 0,
 * keys and sealed bytes are base64url text. Columns marked "at rest" are sealed by secrets.sealAtRest.
 */
export interface Schema {
  organizations: Defaulted<OrganizationRow, 'policy'>
  preferences: PreferencesRow
  users: Defaulted<
    UserRow,
    'is_active' | 'suspended' | 'pins_version' | 'pins' | 'name_key' | 'failures_settled_at' | 'sending_version'
  >
  user_words: UserWordRow
  user_counts: UserCountRow
  people_counts: PeopleCountRow
  session_counts: { one: 1; sessions: number }
  message_minutes: MessageMinuteRow
  connection_minutes: ConnectionMinuteRow
  /** Ids of deleted accounts: an id is used once, ever. */
  retired_users: { id: string; retired_at: number }
  sessions: Defaulted<SessionRow, 'idle_limit' | 'life_limit' | 'confirmed_at' | 'former_token_hash' | 'former_until'>
  /** Failures by purpose ('sign-in', 'recovery'), account (user id, or a keyed hash of an unknown name), device ('' for strangers). */
  sign_in_locks: {
    purpose: string
    account: string
    device: string
    failed: number
    last_failed_at: number
    locked_until: number | null
  }
  /** Browsers that have signed in to the account before; `device` is the SHA-256 of the id in their cookie. */
  known_devices: { user_id: string; device: string; first_seen_at: number; last_seen_at: number }
  authenticator_apps: Defaulted<AuthenticatorAppRow, 'last_step'>
  authenticator_setups: AuthenticatorSetupRow
  /** Time steps that a code of the app in use was accepted for. */
  used_steps: { user_id: string; step: number }
  passkeys: PasskeyRow
  /** HMAC of each code that is left. */
  recovery_codes: { user_id: string; code_hash: string }
  sign_in_tickets: SignInTicketRow
  proposed_passwords: ProposedPasswordRow
  passkey_challenges: PasskeyChallengeRow
  founder_sessions: Defaulted<FounderSessionRow, 'confirmed_at'>
  /** Browsers that the founder has signed in with before; like known_devices. */
  founder_devices: { device: string; first_seen_at: number; last_seen_at: number }
  founder_authenticator_app: Defaulted<FounderAppRow, 'last_step'>
  founder_used_steps: { app_id: number; step: number }
  /** HMAC of each code that is left. */
  founder_recovery_codes: { code_hash: string }
  founder_tickets: FounderTicketRow
  founder_report_keys: FounderReportKeyRow
  epochs: Defaulted<EpochRow, 'wrapped_former_key'>
  invitations: InvitationRow
  settings: { key: string; value: string }
  audit_log: Defaulted<AuditRow, 'seq'>
  audit_addresses: { seq: number; salt: string; address: string; created_at: number }
  audit_exports: AuditExportRow
  audit_heads: { n: number; seq: number; hash: string; signed_at: number; signature: string }
  security_events: SecurityEventRow
  support_requests: Defaulted<SupportRequestRow & InProcess, 'state' | 'process'>
  connections: Defaulted<
    ConnectionRow,
    | 'status'
    | 'last_seq'
    | 'sent_seq_1'
    | 'sent_seq_2'
    | 'delivered_seq_1'
    | 'read_seq_1'
    | 'delivered_seq_2'
    | 'read_seq_2'
    | 'shown_read_seq_1'
    | 'shown_read_seq_2'
  >
  /** Connections that are gone and whose messages, envelopes and files are being destroyed. */
  removed_connections: { id: string; removed_at: number }
  connection_endings: ConnectionEndingRow
  blocks: BlockRow
  former_contacts: FormerContactRow
  envelopes: EnvelopeRow
  messages: MessageRow
  message_flags: MessageFlagRow
  uploads: Defaulted<UploadRow, 'process'>
  files: FileRow
  file_authorizations: Defaulted<FileAuthorizationRow, 'downloads_left'>
  file_downloads: Defaulted<FileDownloadRow, 'process'>
  notifications: NotificationRow
  alert_settings: AlertSettingsRow
  alerts: Defaulted<AlertRow, 'held_back'>
  alert_deliveries: Defaulted<AlertDeliveryRow & InProcess, 'failures' | 'process'>
  alert_windows: Defaulted<AlertWindowRow, 'held_back'>
  incident_acknowledgements: IncidentAcknowledgementRow
  told_incidents: { id: string; last_seen: number }
  /** Of each process that shares this database. */
  processes: { id: string; beat: number }
  leases: { name: string; holder: string }
}

/** Which process is at it; null: none, or the only one. */
interface InProcess {
  process: string | null
}

export interface OrganizationRow {
  id: string
  name: string
  type: string
  created_at: number
  /** JSON: what it asks of its members, where that is not the default. */
  policy: string
}

export interface UserRow {
  id: string
  username: string
  email: string
  first_name: string
  last_name: string
  role: 'user' | 'org_admin' | 'super_admin'
  organization_id: string
  connection_code: string
  password_hash: string
  /** The Argon2id cost under which the browser derived the password. */
  password_version: number
  is_active: number
  suspended: number
  created_at: number
  /** null for an account of a plain client that brought no keys. */
  identity_key: string | null
  /** at rest */
  wrapped_identity_seed: string | null
  /** at rest */
  wrapped_account_key: string | null
  /** at rest */
  recovery_wrapped_account_key: string | null
  recovery_proof_hash: string | null
  /** 1: it was shown at sign-up, and nobody has said yet that he saved it. */
  recovery_key_unsaved: number
  pins_version: number
  pins: string
  /** Where the name stands in a sorted list. */
  name_key: string
  /** Failed sign-ins up to this time say nothing any more. */
  failures_settled_at: number
  /** Grows with everything of a user that sending depends on: name, state, newest epoch. The database sees to it. */
  sending_version: number
}

export interface EpochRow {
  user_id: string
  n: number
  public_key: string
  created_at: number
  previous_hash: string
  signature: string
  /** at rest */
  wrapped_seed: string
  superseded_at: number | null
  /** at rest: the account key that this epoch was the last of */
  wrapped_former_key: string | null
}

export interface InvitationRow {
  id: string
  token_hash: string
  organization_id: string
  role: UserRow['role']
  /** null for the server itself. */
  created_by: string | null
  created_at: number
  /** null: when the next one is made. */
  expires_at: number | null
  used_at: number | null
  used_by: string | null
  revoked_at: number | null
}

export interface AuditRow {
  seq: number
  created_at: number
  action: string
  actor_id: string | null
  actor_organization: string | null
  target_id: string | null
  target_organization: string | null
  /** Of the address and its salt, which lie apart and are forgotten first. */
  address_commitment: string | null
  /** JSON */
  details: string
  nonce: string
  /** The chain up to this entry. */
  hash: string
}

export interface SecurityEventRow {
  id: string
  event_type: string
  event_description: string | null
  severity: 'low' | 'medium' | 'high' | 'critical'
  user_id: string | null
  address: string | null
  page_url: string | null
  /** JSON */
  metadata: string | null
  session_id: string | null
  created_at: number
  /** Made by the browser that reported it. */
  client_id: string | null
  /** The browser's word. */
  occurred_at: number | null
  /** Whose, where `user_id` does not say it: a keyed hash of a name that nobody has. */
  account: string | null
}

/** user_id_1 < user_id_2 as text; the columns ending in _1 and _2 belong to them. */
export interface ConnectionRow {
  id: string
  user_id_1: string
  user_id_2: string
  status: 'active'
  connected_at: number
  last_seq: number
  /** Of the newest message this party sent. */
  sent_seq_1: number
  sent_seq_2: number
  delivered_seq_1: number
  read_seq_1: number
  delivered_seq_2: number
  read_seq_2: number
  /** Of what was read, what the other party may be told: it stands still while either keeps read receipts off. */
  shown_read_seq_1: number
  shown_read_seq_2: number
}
