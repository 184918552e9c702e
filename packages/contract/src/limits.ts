/** Every limit of the product, stated once. Times in milliseconds, sizes in bytes. */
export const limits = {
  /** Minutes without use after which a browser can lock. */
  idleLockMinutes: [1, 5, 15, 60],
  messageCharacters: 500,
  fileBytes: 100 * 1024 * 1024,
  /** Pixels of one side that a thumbnail may have. Those that are made here have fewer. */
  thumbnailSide: 128,
  downloadsPerAuthorization: 3,
  /**
   * Lifetime of messages and files: the default and the upper bound of MESSAGE_RETENTION. Key seeds live as long after
   * their epoch (`destructionTime`), whatever MESSAGE_RETENTION is. A longer one also needs more days in the bucket's
   * rule (server/src/core/storage/s3/lifecycle.ts).
   */
  retention: 24 * 60 * 60 * 1000,
  /** Lifetimes that a conversation can have. The last is `retention`, with which it begins: change both together. */
  lifetimes: [60 * 60 * 1000, 8 * 60 * 60 * 1000, 24 * 60 * 60 * 1000],
  failedSignIns: 5,
  lockTime: 15 * 60 * 1000,
  /** Time between the right password and the second factor. */
  secondFactorTime: 5 * 60 * 1000,
  /** Time for setting up an authenticator app, from its secret to its first code. */
  totpSetupTime: 15 * 60 * 1000,
  /** Time for a passkey to respond. */
  passkeyTime: 5 * 60 * 1000,
  /** Time for which an administrator's session counts as confirmed. */
  confirmationTime: 10 * 60 * 1000,
  passkeys: 20,
  passkeyNameCharacters: 64,
  recoveryCodes: 10,
  sessionIdle: 24 * 60 * 60 * 1000,
  /** Measured from the sign-in, no matter how much a session is used; an organization can set less. */
  sessionLife: 90 * 24 * 60 * 60 * 1000,
  /** For this time the token before a renewal still authorizes calls under way, but no socket. */
  tokenOverlap: 30 * 1000,
  founderSessionIdle: 4 * 60 * 60 * 1000,
  /** Replaces `sessionIdle` for members who have switched the session timeout off. */
  sessionIdleLong: 30 * 24 * 60 * 60 * 1000,
  uploadAddressValid: 15 * 60 * 1000,
  /** Time for an upload to be registered, and for a registered file to be sent. */
  unregisteredUploadKept: 60 * 60 * 1000,
  /** Limit for each account of all files together: arriving, waiting to be sent, or sent and not expired. */
  accountFileBytes: 5 * 1024 * 1024 * 1024,
  /** The part of it that may be files not sent yet. */
  unsentUploadBytes: 2 * 1024 * 1024 * 1024,
  /** The time for which messages are sealed to one epoch. Its seed is destroyed `retention` after it has ended. */
  epochDuration: 8 * 60 * 60 * 1000,
  /** Epochs from the one whose time it is to the last one published: those of 7 days. */
  epochsAhead: 21,
  /** Browsers in the list of one user: a further one takes the place of the one used least recently. */
  browsers: 10,
  /** Removed browsers that are named to the others, the newest ones. */
  removedBrowsers: 100,
  /** Time for the comparison of six digits that approves a browser. */
  browserApproval: 10 * 60 * 1000,
  /** Before an epoch begins and after it has ended, messages under it are accepted for this time: clocks differ. */
  epochGrace: 10 * 60 * 1000,
  /** A time further ahead of the server's clock than this is wrong. */
  clockTolerance: 5 * 60 * 1000,
  /** The page warns when the server's clock differs from the device's by more than this. */
  clockWarning: 10 * 60 * 1000,
  /** Time after the end of a connection in which the former contact can be blocked. */
  formerContactKept: 24 * 60 * 60 * 1000,
  /** Fewest characters of a search in the directory. */
  directorySearchMin: 2,
  /** Colleagues in the answer to a search. */
  colleaguesFound: 20,
  /** Life of a request for a connection. */
  connectionRequestKept: 7 * 24 * 60 * 60 * 1000,
  /** Time after the end of a request, however it ended, in which the same person cannot be asked again. */
  connectionRequestsApart: 24 * 60 * 60 * 1000,
  /** Open requests of one member. */
  openConnectionRequests: 20,
  /** Requests to one member that are listed, the newest ones. */
  connectionRequestsListed: 100,
  unreadPoll: 5_000,
  unreadBadge: 9,
  messagesPage: 50,
  maxMessagesPage: 200,
  /** In this time one alert of a type about a subject is sent; further ones are collected in a digest. */
  alertWindow: 15 * 60 * 1000,
  /** Subjects of one type that get an alert of their own in that time: each may cost a text message. */
  alertSubjects: 20,
  /** Text messages with alerts per hour, of all types together; further alerts go to the server's log. */
  alertSms: 20,
  alertSmsWindow: 60 * 60 * 1000,
  /** Time limit for one attempt to deliver an alert. */
  alertAttempt: 15 * 1000,
  /** Longer than a mail server needs: an email that it accepts after the timeout would be sent again by the retry. */
  alertMailAttempt: 2 * 60 * 1000,
  alertsKept: 30 * 24 * 60 * 60 * 1000,
  alertsShown: 10,
  alertsListed: 100,
  alertsPoll: 10_000,
  notificationsPage: 30,
  /** Limit for each account; the oldest are removed first. */
  notificationsKept: 200,
  /** Time for which notifications of changes to an account cannot be removed; the limit above spares them. */
  accountChangeKept: 7 * 24 * 60 * 60 * 1000,
  /** Limit for each account, including the notifications that the limit above spares. */
  accountChangesKept: 1_000,
  notificationAge: 30 * 24 * 60 * 60 * 1000,
  /** A browser is notified by its push service once in this time, until the application is opened. */
  pushInterval: 15 * 60 * 1000,
  /** A push leaves at a random moment of this time after its message, so that the two cannot be matched by time. */
  pushDelay: 20 * 1000,
  pushEndpointCharacters: 1024,
  /** Members who want it are mailed this long before a message expires unread; at most a third of its life. */
  reminderLead: 8 * 60 * 60 * 1000,
  passwordCharacters: 10,
  jsonBodyBytes: 64 * 1024,
  usersPage: 50,
  maxUsersPage: 200,
  userSearchCharacters: 100,
  /** A search counts its matches up to this number. */
  userSearchCounted: 1_000,
  /** The furthest day ahead from which an organization can require a second factor. */
  maxAnnouncement: 366 * 24 * 60 * 60 * 1000,
  /** The day offered by default lies this far ahead. */
  announcementUsual: 7 * 24 * 60 * 60 * 1000,
  /** Domains that an organization can allow for sign-up. */
  emailDomains: 50,
  minInvitation: 60 * 60 * 1000,
  /** The lifetime offered by default. */
  invitationUsual: 7 * 24 * 60 * 60 * 1000,
  maxInvitation: 30 * 24 * 60 * 60 * 1000,
  /** Limit for each organization at any time. */
  openInvitations: 1_000,
  /** Applies to name and type each. */
  organizationNameCharacters: 64,
  organizationsPage: 20,
  maxOrganizationsPage: 200,
  lockedAccountsListed: 100,
  supportRequestsPage: 20,
  maxSupportRequestsPage: 100,
  supportSubjectCharacters: 120,
  supportMessageCharacters: 4_000,
  /** The newest ones in the member's own list; older ones stay stored. */
  supportRequestsListed: 100,
  securityEventsBatch: 20,
  /** Facts in the metadata of one event. */
  securityEventFacts: 8,
  securityEventsKept: 90 * 24 * 60 * 60 * 1000,
  auditLogsPage: 50,
  maxAuditLogsPage: 200,
  /** Retention of addresses in the audit log; the entries stay. */
  auditAddressesKept: 90 * 24 * 60 * 60 * 1000,
  /** Time after the last event of a security incident until it closes. */
  incidentOpen: 24 * 60 * 60 * 1000,
  incidentsPoll: 10_000,
  /** Length of the note that acknowledges an incident. */
  incidentNoteCharacters: 500,
  /** Rows in the founder's table. */
  incidentsShown: 10,
  /** Incidents in a response, the gravest first. */
  incidentsListed: 50,
  /** Users listed for an incident, and addresses listed for it. */
  incidentAffectedListed: 50,
  /** The events of an incident are counted up to this number. */
  incidentEventsCounted: 1_000,
  /** Time before the first and after the last event of an incident that its related log covers. */
  incidentMargin: 15 * 60 * 1000,
  /** Retention of sealed reports from the report on; flags of a scan expire with their message. */
  reportsKept: 30 * 24 * 60 * 60 * 1000,
  reportReasonCharacters: 500,
  flagsPage: 50,
  maxFlagsPage: 200,
  /** Flags removed by one call. */
  flagsTakenAtOnce: 100,
  /** Thresholds of a scan: messages of one sender within a time, recipients, and equal texts. */
  rapidMessages: 20,
  rapidWindow: 60 * 1000,
  bulkRecipients: 10,
  bulkWindow: 10 * 60 * 1000,
  repeatedTexts: 5,
  repeatedWindow: 24 * 60 * 60 * 1000,
  /** Minimum time between two flags of one sender by one rule, however they vary. */
  flagsApart: 60 * 1000,
  /** The newest flags of one sender by one rule in one scan. */
  flagsEachScan: 60,
  /** The newest rows in one export of the founder's. */
  exportRows: 10_000,
  /** Time for the address of an export to be opened. */
  auditExportValid: 15 * 60 * 1000,
} as const

/** Requests allowed in a window, and the key they are counted by. Exceeding one returns 429 with Retry-After. */
export const rateLimits = {
  signIn: { by: 'address', requests: 60, window: 10 * 60 * 1000 },
  founderSignIn: { by: 'address', requests: 60, window: 10 * 60 * 1000 },
  signUp: { by: 'address', requests: 20, window: 60 * 60 * 1000 },
  send: { by: 'account', requests: 60, window: 10 * 1000 },
  upload: { by: 'account', requests: 60, window: 60 * 60 * 1000 },
  other: { by: 'account', requests: 300, window: 10 * 1000 },
  /** All calls of a member that add to the audit log, which is never shortened; beside the limit of each call. */
  change: { by: 'account', requests: 600, window: 10 * 60 * 1000 },
  /**
   * Publications of epochs: one every 8 hours, and with "Only approved browsers" one for each new browser, as is each
   * page of a shared computer. One after a removal is not counted. Each can end an epoch, which lives for 24 hours
   * more: `maxEndedEpochs` in server/src/features/keys/epochs.ts bounds their number.
   */
  publication: { by: 'account', requests: 32, window: 24 * 60 * 60 * 1000 },
  /**
   * Links that renewals add to one browser, kept until the browser is deleted: some three a day, at most one for each
   * publication of the user, and once up to 64 more after a restored backup. Counted for each browser: one that a thief
   * of the password has listed uses up no renewals of another.
   */
  browserLinks: { by: 'browser', requests: 128, window: 24 * 60 * 60 * 1000 },
  keyReplacement: { by: 'account', requests: 4, window: 24 * 60 * 60 * 1000 },
  /** Events that the deterrents of a browser report. */
  securityEvent: { by: 'account', requests: 120, window: 10 * 60 * 1000 },
  supportRequest: { by: 'account', requests: 5, window: 60 * 60 * 1000 },
  dataExport: { by: 'account', requests: 20, window: 60 * 60 * 1000 },
  /** Emails to one mailbox (plus-tags and case aside) about the accounts with its address. */
  mailboxEmail: { by: 'mailbox', requests: 10, window: 60 * 60 * 1000 },
  /** Emails about one account, to any number of mailboxes. */
  accountEmail: { by: 'account', requests: 10, window: 60 * 60 * 1000 },
  /**
   * Emails about changes that decide over an account, counted apart from all others. The first of each guarantee and
   * account is always sent, so that no other account can use it up; the rest is limited per mailbox and per account.
   */
  guaranteedEmail: { by: 'account', requests: 1, window: 60 * 60 * 1000 },
  mailboxChangeEmail: { by: 'mailbox', requests: 10, window: 60 * 60 * 1000 },
  changeEmail: { by: 'account', requests: 10, window: 60 * 60 * 1000 },
  testAlert: { by: 'account', requests: 10, window: 10 * 60 * 1000 },
  takenEmail: { by: 'account', requests: 10, window: 60 * 60 * 1000 },
  messageReport: { by: 'account', requests: 20, window: 60 * 60 * 1000 },
  directorySearch: { by: 'account', requests: 60, window: 10 * 60 * 1000 },
  connectionRequest: { by: 'account', requests: 30, window: 60 * 60 * 1000 },
  unknownCode: { by: 'account and address', requests: 10, window: 60 * 60 * 1000 },
} as const

/** Tink AES256-GCM-HKDF-1MB: 1 MiB ciphertext segments, a 40-byte header, a 16-byte tag a segment. */
export const fileSegmentBytes = 1024 * 1024
export const fileHeaderBytes = 40
const tagBytes = 16

/** Ciphertext size in bytes of a file of `plain` bytes (Tink streaming AEAD wire format). */
export function sealedFileSize(plain: number): number {
  const first = fileSegmentBytes - fileHeaderBytes - tagBytes
  const rest = fileSegmentBytes - tagBytes
  const segments = plain <= first ? 1 : 1 + Math.ceil((plain - first) / rest)
  return fileHeaderBytes + plain + segments * tagBytes
}
