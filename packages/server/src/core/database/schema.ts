import type { Generated } from 'kysely'
import type {
  AlertDeliveryRow,
  AlertRow,
  AlertSettingsRow,
  AlertWindowRow,
  ConnectionMinuteRow,
  MessageMinuteRow,
  PeopleCountRow,
  FounderAppRow,
  FounderReportKeyRow,
  FounderSessionRow,
  FounderTicketRow,
  SupportRequestRow,
} from './tables/founder.ts'
import type { AuditExportRow, AuditRow } from './tables/audit.ts'
import type { FileAuthorizationRow, FileDownloadRow, FileRow, UploadRow } from './tables/files.ts'
import type {
  BlockRow,
  ConnectionEndingRow,
  ConnectionRequestRow,
  ConnectionRow,
  FormerContactRow,
} from './tables/connections.ts'
import type { IncidentAcknowledgementRow, MessageFlagRow, SecurityEventRow } from './tables/security.ts'
import type {
  BrowserLinkRow,
  BrowserRemovalRow,
  BrowserRow,
  EpochRow,
  PreferencesRow,
  SealedSeedRow,
  UserRow,
} from './tables/users.ts'
import type { PushSubscriptionRow } from './tables/push.ts'
import type { NotificationRow } from './tables/notifications.ts'
import type {
  AuthenticatorAppRow,
  AuthenticatorSetupRow,
  PasskeyChallengeRow,
  PasskeyRow,
  ProposedPasswordRow,
  SignInTicketRow,
  SessionBrowserRow,
  SessionRow,
} from './tables/sessions.ts'
import type { EnvelopeRow, MessageRow } from './tables/messages.ts'
import type { UserCountRow, UserWordRow, OrganizationRow, InvitationRow } from './tables/organization.ts'

/** `push`: whether the user wants push notifications in this browser; null until they have chosen. */
interface KnownDeviceRow {
  user_id: string
  device: string
  first_seen_at: number
  last_seen_at: number
  push: Generated<0 | 1 | null>
}

/** A row whose columns `D` may be left out on insert. */
type Defaulted<Row, D extends keyof Row> = Omit<Row, D> & { [Column in D]: Generated<Row[Column]> }

/**
 * The tables' rows: ids are text, times are integer milliseconds, booleans are 1 and 0, keys and encrypted bytes are
 * base64url text. Columns marked "at rest" are encrypted by secrets.encryptAtRest.
 */
export interface Schema {
  organizations: Defaulted<OrganizationRow, 'policy'>
  preferences: PreferencesRow
  users: Defaulted<
    UserRow,
    | 'is_active'
    | 'suspended'
    | 'former_keys'
    | 'only_approved'
    | 'mode_changes'
    | 'publication_due'
    | 'pins_version'
    | 'pins'
    | 'name_key'
    | 'failures_settled_at'
    | 'reminded_at'
    | 'sending_version'
  >
  user_words: UserWordRow
  user_counts: UserCountRow
  people_counts: PeopleCountRow
  session_counts: { one: 1; sessions: number }
  message_minutes: MessageMinuteRow
  connection_minutes: ConnectionMinuteRow
  /** Ids of deleted accounts: an id is never used again. */
  retired_users: { id: string; retired_at: number }
  sessions: Defaulted<
    SessionRow,
    'browser_id' | 'idle_limit' | 'life_limit' | 'confirmed_at' | 'former_token_hash' | 'former_until'
  >
  /**
   * Failed attempts by purpose ('sign-in', or 'founder' for the founder's), account (user id, or keyed hash of a name
   * that nobody has) and device ('' for all browsers that have not signed in to the account before).
   */
  sign_in_locks: {
    purpose: string
    account: string
    device: string
    failed: number
    last_failed_at: number
    locked_until: number | null
  }
  /** Browsers that have signed in to the account before; `device` is the SHA-256 of the id in their cookie. */
  known_devices: KnownDeviceRow
  authenticator_apps: Defaulted<AuthenticatorAppRow, 'last_step'>
  authenticator_setups: AuthenticatorSetupRow
  /** Time steps for which a code of the current app was accepted. */
  used_steps: { user_id: string; step: number }
  passkeys: PasskeyRow
  /** HMAC of each unused code. */
  recovery_codes: { user_id: string; code_hash: string }
  sign_in_tickets: SignInTicketRow
  proposed_passwords: ProposedPasswordRow
  passkey_challenges: PasskeyChallengeRow
  founder_sessions: Defaulted<FounderSessionRow, 'confirmed_at'>
  /** Browsers that the founder has signed in with before; like known_devices. */
  founder_devices: { device: string; first_seen_at: number; last_seen_at: number }
  founder_authenticator_app: Defaulted<FounderAppRow, 'last_step'>
  founder_used_steps: { app_id: number; step: number }
  /** HMAC of each unused code. */
  founder_recovery_codes: { code_hash: string }
  founder_tickets: FounderTicketRow
  founder_report_keys: FounderReportKeyRow
  epochs: Defaulted<EpochRow, 'wrapped_former_key' | 'is_destroyed'>
  browsers: BrowserRow
  browser_links: BrowserLinkRow
  browser_removals: BrowserRemovalRow
  session_browsers: SessionBrowserRow
  sealed_seeds: SealedSeedRow
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
    | 'lifetime'
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
  connection_requests: ConnectionRequestRow
  envelopes: EnvelopeRow
  messages: MessageRow
  message_flags: MessageFlagRow
  uploads: Defaulted<UploadRow, 'process'>
  files: FileRow
  file_authorizations: Defaulted<FileAuthorizationRow, 'downloads_left' | 'used_grants'>
  file_downloads: Defaulted<FileDownloadRow, 'process'>
  notifications: NotificationRow
  push_subscriptions: Defaulted<PushSubscriptionRow, 'due_at' | 'caused_at' | 'expires_at' | 'failures' | 'quiet_until'>
  alert_settings: AlertSettingsRow
  alerts: Defaulted<AlertRow, 'held_back'>
  alert_deliveries: Defaulted<AlertDeliveryRow & InProcess, 'failures' | 'process'>
  alert_windows: Defaulted<AlertWindowRow, 'held_back'>
  incident_acknowledgements: IncidentAcknowledgementRow
  told_incidents: { id: string; last_seen: number }
  /** Heartbeat of each process that shares this database. */
  processes: { id: string; beat: number }
  leases: { name: string; holder: string }
}

/** The process that works on the row; null: none, or the only one. */
interface InProcess {
  process: string | null
}
