/** Every limit of the product, stated once. Times in milliseconds, sizes in bytes. */
export const limits = {
  messageCharacters: 500,
  fileBytes: 100 * 1024 * 1024,
  downloadsPerAuthorization: 3,
  retention: 24 * 60 * 60 * 1000,
  failedSignIns: 5,
  lockTime: 15 * 60 * 1000,
  /** Between the right password and the second factor. */
  secondFactorTime: 5 * 60 * 1000,
  /** For setting up an authenticator app, from its secret to its first code. */
  totpSetupTime: 15 * 60 * 1000,
  /** For a passkey to answer. */
  passkeyTime: 5 * 60 * 1000,
  /** For which a session of an administrator counts as confirmed. */
  confirmationTime: 10 * 60 * 1000,
  passkeys: 20,
  passkeyNameCharacters: 64,
  recoveryCodes: 10,
  sessionIdle: 24 * 60 * 60 * 1000,
  /** From the sign-in on, however much a session is used; an organization can set less. */
  sessionLife: 90 * 24 * 60 * 60 * 1000,
  /** The token before a renewal opens calls that were under way, and no socket. */
  tokenOverlap: 30 * 1000,
  founderSessionIdle: 4 * 60 * 60 * 1000,
  /** With the session timeout switched off. */
  sessionIdleLong: 30 * 24 * 60 * 60 * 1000,
  uploadAddressValid: 15 * 60 * 1000,
  /** For an upload to be registered, and for a registered file to be sent. */
  unregisteredUploadKept: 60 * 60 * 1000,
  /** Of one account, together: what arrives, waits to be sent, or has been sent and not expired yet. */
  accountFileBytes: 5 * 1024 * 1024 * 1024,
  /** Of these, what nobody was sent yet. */
  unsentUploadBytes: 2 * 1024 * 1024 * 1024,
  epochAge: 24 * 60 * 60 * 1000,
  /** A date this much ahead of the server's clock is wrong. */
  clockTolerance: 5 * 60 * 1000,
  /** The page says so when the server's clock is further than this from the device's. */
  clockWarning: 10 * 60 * 1000,
  /** For who was connected to still be blocked, after the connection has ended. */
  formerContactKept: 24 * 60 * 60 * 1000,
  unreadPoll: 5_000,
  unreadBadge: 9,
  messagesPage: 50,
  messagesPageMost: 200,
  /** In this time one alert of a type about a subject is sent; the others are held back for a digest. */
  alertWindow: 15 * 60 * 1000,
  /** Subjects of one type that are told one by one in that time: each may cost a text message. */
  alertSubjects: 20,
  /** Text messages with alerts in an hour, of all types together; the rest goes to the server's log. */
  alertSms: 20,
  alertSmsWindow: 60 * 60 * 1000,
  /** For one attempt at handing an alert over. */
  alertAttempt: 15 * 1000,
  /** By the mail server, which takes a letter even where nobody waits for its answer: it is given more time than it needs. */
  alertMailAttempt: 2 * 60 * 1000,
  alertsKept: 30 * 24 * 60 * 60 * 1000,
  alertsShown: 10,
  alertsListed: 100,
  alertsPoll: 10_000,
  notificationsPage: 30,
  /** Of one account; the oldest leave first. */
  notificationsKept: 200,
  notificationAge: 30 * 24 * 60 * 60 * 1000,
  passwordCharacters: 10,
  jsonBodyBytes: 64 * 1024,
  usersPage: 50,
  usersPageMost: 200,
  userSearchCharacters: 100,
  /** A search counts its matches up to here. */
  userSearchCounted: 1_000,
  /** Ahead, that an organization can name the day from which it requires a second factor. */
  announcementMost: 366 * 24 * 60 * 60 * 1000,
  /** The day that is offered first lies this far ahead. */
  announcementUsual: 7 * 24 * 60 * 60 * 1000,
  /** That an organization allows for sign-up. */
  emailDomains: 50,
  invitationLeast: 60 * 60 * 1000,
  /** What is offered first. */
  invitationUsual: 7 * 24 * 60 * 60 * 1000,
  invitationMost: 30 * 24 * 60 * 60 * 1000,
  /** Of one organization, at one time. */
  openInvitations: 1_000,
  /** Of name and type each. */
  organizationNameCharacters: 64,
  organizationsPage: 20,
  organizationsPageMost: 200,
  lockedAccountsListed: 100,
  supportRequestsPage: 20,
  supportRequestsPageMost: 100,
  supportSubjectCharacters: 120,
  supportMessageCharacters: 4_000,
  /** In the list of one's own, the newest; older ones stay stored. */
  supportRequestsListed: 100,
  securityEventsBatch: 20,
  /** In the metadata of one event. */
  securityEventFacts: 8,
  securityEventsKept: 90 * 24 * 60 * 60 * 1000,
  auditLogsPage: 50,
  auditLogsPageMost: 200,
  /** Addresses in the audit log; the entries stay. */
  auditAddressesKept: 90 * 24 * 60 * 60 * 1000,
  /** After the last event of a security incident. */
  incidentOpen: 24 * 60 * 60 * 1000,
  incidentsPoll: 10_000,
  /** Written when one is acknowledged. */
  incidentNoteCharacters: 500,
  /** In the founder's table. */
  incidentsShown: 10,
  /** In an answer, the gravest first. */
  incidentsListed: 50,
  /** Of the users of an incident, and of its addresses. */
  incidentAffectedListed: 50,
  /** The events of an incident are counted up to here. */
  incidentEventsCounted: 1_000,
  /** Before the first and after the last event of an incident, in its related log. */
  incidentMargin: 15 * 60 * 1000,
  /** Sealed, from the report on; flags of a scan go with their message. */
  reportsKept: 30 * 24 * 60 * 60 * 1000,
  reportReasonCharacters: 500,
  flagsPage: 50,
  flagsPageMost: 200,
  /** Taken away in one call. */
  flagsTakenAtOnce: 100,
  /** What a scan flags: so many messages of one sender within a time, to so many people, or with the same text. */
  rapidMessages: 20,
  rapidWindow: 60 * 1000,
  bulkRecipients: 10,
  bulkWindow: 10 * 60 * 1000,
  repeatedTexts: 5,
  repeatedWindow: 24 * 60 * 60 * 1000,
  /** Between two flags of one sender by one rule, whatever he varies. */
  flagsApart: 60 * 1000,
  /** Of one sender by one rule in one scan: the newest. */
  flagsEachScan: 60,
  /** In one export of the founder's, the newest. */
  exportRows: 10_000,
  /** For the address of an export to be opened. */
  auditExportValid: 15 * 60 * 1000,
} as const

/** Requests allowed in a window, and what they are counted by. Exceeding one answers 429 with Retry-After. */
export const rateLimits = {
  signIn: { by: 'address', requests: 60, window: 10 * 60 * 1000 },
  founderSignIn: { by: 'address', requests: 60, window: 10 * 60 * 1000 },
  signUp: { by: 'address', requests: 20, window: 60 * 60 * 1000 },
  send: { by: 'account', requests: 60, window: 10 * 1000 },
  upload: { by: 'account', requests: 60, window: 60 * 60 * 1000 },
  other: { by: 'account', requests: 300, window: 10 * 1000 },
  /** Calls of a member, beside the limit of each, that leave an entry in the audit log: it is never shortened. */
  change: { by: 'account', requests: 600, window: 10 * 60 * 1000 },
  epoch: { by: 'account', requests: 4, window: 24 * 60 * 60 * 1000 },
  keyReplacement: { by: 'account', requests: 4, window: 24 * 60 * 60 * 1000 },
  /** Events that the deterrents of a browser report. */
  securityEvent: { by: 'account', requests: 120, window: 10 * 60 * 1000 },
  supportRequest: { by: 'account', requests: 5, window: 60 * 60 * 1000 },
  dataExport: { by: 'account', requests: 20, window: 60 * 60 * 1000 },
  /** Letters to one mailbox (plus-tags and case aside) about the accounts that have its address entered. */
  letter: { by: 'mailbox', requests: 10, window: 60 * 60 * 1000 },
  /** Letters about one account, to however many mailboxes. */
  accountLetter: { by: 'account', requests: 10, window: 60 * 60 * 1000 },
  /** Letters about what decides over an account: counted apart, so that nothing else can use them up. */
  changeLetter: { by: 'account', requests: 10, window: 60 * 60 * 1000 },
  testAlert: { by: 'account', requests: 10, window: 10 * 60 * 1000 },
  takenEmail: { by: 'account', requests: 10, window: 60 * 60 * 1000 },
  messageReport: { by: 'account', requests: 20, window: 60 * 60 * 1000 },
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
