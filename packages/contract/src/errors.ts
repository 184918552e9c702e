import { durationWords } from './languages.ts'
import { limits } from './limits.ts'

/**
 * The catalogue's errors that the client also shows without a response. The others arrive with the server's response,
 * so browsers do not load them.
 */
export const clientErrors = {
  NOT_SIGNED_IN: { status: 401, message: 'You are not signed in.' },
  UNAVAILABLE: { status: 503, message: 'The server is not available right now. Try again in a moment.' },
  INTERNAL: { status: 500, message: 'Something went wrong on the server. Try again.' },
  WRONG_PASSWORD: { status: 403, message: 'Incorrect password.' },
  PASSWORD_UNCHANGED: {
    status: 400,
    message:
      'New keys require a new password: with the old one, a new browser or a restored backup could return to the old keys.',
  },
  FILE_TOO_LARGE: { status: 413, message: 'Files can be up to 100 MB.' },
  FILE_NOT_FOUND: { status: 404, message: 'This file no longer exists.' },
  DOWNLOAD_NOT_AUTHORIZED: { status: 403, message: 'The sender has not approved this download.' },
  APPROVAL_ENDED: { status: 409, message: 'This comparison has ended. Start again in the new browser.' },
  DOWNLOADS_USED_UP: { status: 403, message: 'No downloads are left. Request the file again.' },
} as const

/** The error catalogue: code -> HTTP status and the message shown to the user. */
export const errors = {
  ...clientErrors,
  INVALID_INPUT: { status: 400, message: 'Some of the information sent is not valid.' },
  BODY_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers of the request are too large.' },
  REQUEST_TOO_SLOW: { status: 408, message: 'The request took too long to arrive.' },
  FORBIDDEN: { status: 403, message: 'You do not have permission to do that.' },
  ORIGIN_REFUSED: { status: 403, message: 'This request came from another site and was refused.' },
  NOT_FOUND: { status: 404, message: 'Nothing was found at this address.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Wait a moment, then try again.' },
  STORAGE_FULL: { status: 507, message: 'The server has no space left. Nothing was lost; try again later.' },

  NOT_FOUNDER: { status: 401, message: 'Not authenticated as founder' },
  FOUNDER_PASSWORD_GENERATED: {
    status: 403,
    message: 'This password was generated when the server first started. Replace it with your own to continue.',
  },
  PASSWORD_IN_ENVIRONMENT: {
    status: 409,
    message: 'The password is set by FOUNDER_PASSWORD on the server. Change it there, then restart the server.',
  },
  WRONG_CREDENTIALS: { status: 401, message: 'Incorrect username or password.' },
  ACCOUNT_LOCKED: { status: 423, message: 'This account is locked after 5 failed sign-ins. Try again in 15 minutes.' },
  ACCOUNT_UNAVAILABLE: { status: 403, message: 'This account is not active. Contact your administrator.' },
  LAST_SUPER_ADMIN: {
    status: 409,
    message: 'This is the last Super Admin, and the organization has other members. Give one of them that role first.',
  },
  PASSWORD_NEEDED: { status: 403, message: 'Enter your password again to continue.' },
  EXPORTS_OFF: { status: 403, message: 'Data downloads are switched off in your privacy settings.' },
  USERNAME_TAKEN: { status: 409, message: 'That username is already in use.' },
  EMAIL_TAKEN: { status: 409, message: 'That email address is already in use.' },
  USER_ID_TAKEN: { status: 409, message: 'That account already exists. Try again.' },
  INVITATION_INVALID: { status: 400, message: 'This invitation is no longer valid. Ask for a new one.' },
  INVITATION_NEEDED: {
    status: 403,
    message: 'New members join this organization by invitation only. Ask one of its administrators for an invitation.',
  },
  SECOND_FACTOR_REQUIRED: { status: 401, message: 'Confirm with your second factor to continue.' },
  SECOND_FACTOR_WRONG: { status: 401, message: 'That code is incorrect or has already been used.' },
  SECOND_FACTOR_OFF: { status: 409, message: 'Two-factor authentication is not on.' },
  SECOND_FACTOR_MISSING: {
    status: 403,
    message: 'Your organization requires two-factor authentication. Set it up to continue.',
  },
  SECOND_FACTOR_KEPT: {
    status: 409,
    message: 'Your organization requires two-factor authentication. Your last second factor cannot be removed.',
  },
  CONFIRMATION_NEEDED: { status: 403, message: 'Confirm your identity to continue.' },
  TICKET_INVALID: { status: 401, message: 'This sign-in took too long. Enter your password again.' },
  SETUP_EXPIRED: { status: 409, message: 'The setup took too long. Start again.' },
  PASSKEY_REFUSED: { status: 401, message: 'The passkey could not be confirmed. Try again.' },
  PASSKEY_EXISTS: { status: 409, message: 'This passkey is already registered.' },
  PASSKEY_NOT_FOUND: { status: 404, message: 'That passkey no longer exists.' },
  PASSKEYS_FULL: { status: 409, message: 'You have reached the maximum number of passkeys. Remove one first.' },
  PASSKEYS_UNAVAILABLE: {
    status: 409,
    message: 'Passkeys do not work at this address: they need HTTPS and a domain name, or localhost.',
  },
  INVITATION_NOT_FOUND: { status: 404, message: 'That invitation does not exist.' },
  INVITATION_ENDED: { status: 409, message: 'That invitation has been used or revoked, or it has expired.' },
  INVITATIONS_FULL: {
    status: 409,
    message: 'Your organization has reached the maximum number of open invitations. Revoke some first.',
  },
  EMAIL_DOMAIN_REFUSED: {
    status: 403,
    message: 'Your organization does not accept email addresses in this domain. Use your address at the organization.',
  },
  POLICY_DATE_INVALID: {
    status: 400,
    message: 'Choose a date after today and within a year.',
  },
  USER_NOT_FOUND: { status: 404, message: 'That person is no longer in your organization.' },
  ACCOUNT_NOT_FOUND: { status: 404, message: 'That account no longer exists.' },
  ORGANIZATION_NOT_FOUND: { status: 404, message: 'That organization does not exist.' },
  ORGANIZATION_HAS_MEMBERS: {
    status: 409,
    message: 'This organization already has members. Its administrators can invite others.',
  },
  REQUEST_NOT_FOUND: { status: 404, message: 'That support request no longer exists.' },
  OWN_ACCOUNT: { status: 403, message: 'You cannot do this to your own account.' },
  ABOVE_RANK: { status: 403, message: 'Only a Super Admin can do that.' },
  RECOVERY_REFUSED: { status: 401, message: 'Incorrect username or account recovery key.' },
  KEYS_EXIST: { status: 409, message: 'This account already has its keys.' },
  NO_KEYS: { status: 409, message: 'This account has no encryption keys yet.' },
  BROWSERS_CHANGED: { status: 409, message: 'Your list of browsers has changed. It is read again.' },
  BROWSER_NOT_APPROVED: { status: 403, message: 'This browser is not approved. Approve it first.' },
  MODE_REQUIRED: { status: 403, message: 'Your organization requires "Only approved browsers".' },
  BROWSER_NOT_FOUND: { status: 404, message: 'This browser is no longer in your list.' },
  BROWSER_REMOVED: { status: 409, message: 'This browser was removed from your list.' },
  NOTIFICATION_KEPT: { status: 409, message: 'Changes to your account stay in this list until they are 7 days old.' },
  STALE_VERSION: { status: 409, message: 'This was changed elsewhere and has been reloaded.' },

  PUSH_FORBIDDEN: { status: 403, message: 'Your organization does not allow push notifications.' },
  PUSH_SERVICE_REFUSED: { status: 400, message: "This server does not send to this browser's push service." },

  CODE_OWN: { status: 400, message: 'That is your own code. Enter the code of the other person.' },
  CODE_UNKNOWN: { status: 404, message: 'No one has that code. Check it with the other person.' },
  ALREADY_CONNECTED: { status: 409, message: 'You are already connected with this person.' },
  PERSON_BLOCKED: { status: 409, message: 'You have blocked this person. Unblock them to connect again.' },
  DIRECTORY_OFF: { status: 403, message: 'Your organization has no directory. Connect by a code.' },
  COLLEAGUE_NOT_FOUND: { status: 404, message: 'This person is not in the directory of your organization.' },
  CONNECTION_REQUEST_NOT_FOUND: { status: 404, message: 'This request is no longer open.' },
  CONNECTION_REQUEST_OPEN: { status: 409, message: 'You have already asked this person.' },
  CONNECTION_REQUEST_REPEATED: {
    status: 409,
    message: `You can ask this person again ${durationWords(limits.connectionRequestsApart, 'en')} after your last request ended.`,
  },
  CONNECTION_REQUESTS_FULL: { status: 409, message: 'You have too many open requests. Withdraw one first.' },
  FORMER_CONTACT_NOT_FOUND: { status: 404, message: 'This person is no longer in the list of ended connections.' },
  BLOCK_NOT_FOUND: { status: 404, message: 'You have not blocked this person.' },
  CONNECTION_NOT_FOUND: { status: 404, message: 'That connection no longer exists.' },
  PEER_UNAVAILABLE: { status: 403, message: 'This person is unavailable and cannot receive messages.' },

  MESSAGE_NOT_SEALED: { status: 400, message: 'The message was not encrypted, so the server refused it.' },
  MESSAGE_NOT_SIGNED: {
    status: 400,
    message: 'The message was not signed with your encryption keys, so the server refused it.',
  },
  MESSAGE_ID_TAKEN: { status: 409, message: 'A different message already has this identifier.' },
  ENVELOPE_UNKNOWN: { status: 409, message: 'The server does not know the message key. Sending again with a new one.' },
  ENVELOPE_INVALID: { status: 400, message: 'The message key does not belong to this conversation.' },
  ENVELOPE_OUTDATED: {
    status: 409,
    message: 'The message key is too old or dated in the future. Sending again with a new one.',
  },
  LIFETIME_CHANGED: { status: 409, message: 'Messages live for another time here now. Sending again.' },
  EPOCH_SUPERSEDED: { status: 409, message: 'Keys were renewed. Sending again.' },
  EPOCH_CONFLICT: { status: 409, message: 'A newer encryption key already exists.' },

  MESSAGE_NOT_FOUND: { status: 404, message: 'This message no longer exists.' },
  ALREADY_REPORTED: { status: 409, message: 'You have already reported this message.' },
  REPORTING_NOT_SET_UP: { status: 409, message: 'Reporting is not set up on this server yet.' },
  REPORT_KEY_CHANGED: { status: 409, message: 'The key for reports has changed. Report the message again.' },
  FLAG_NOT_FOUND: { status: 404, message: 'This message is no longer flagged.' },

  ALERT_NOT_SENT: { status: 502, message: 'The alert could not be sent. See its status below.' },

  UPLOAD_NOT_FOUND: { status: 404, message: 'This upload address is no longer valid. Start again.' },
  // Not 408: browsers would send everything again on their own.
  UPLOAD_TOO_SLOW: { status: 400, message: 'The upload was too slow, so the server stopped it. Try again.' },
  FILES_FULL: {
    status: 409,
    message: 'Your storage is full. Space is freed as your files expire: try again later.',
  },
  FILE_IN_USE: { status: 409, message: 'This file was already sent in a message.' },
  AUTHORIZATION_NOT_FOUND: { status: 404, message: 'This request no longer exists.' },
  AUTHORIZATION_DECIDED: { status: 409, message: 'This request has already been decided.' },
  INCIDENT_OVER: { status: 404, message: 'This incident is over: 24 hours have passed since its last event.' },
  INCIDENT_ACKNOWLEDGED: {
    status: 409,
    message: 'This incident has already been acknowledged, perhaps in another browser. It has been reloaded.',
  },
  REQUEST_EXISTS: { status: 409, message: 'You have already requested this file.' },
} as const

export type ErrorCode = keyof typeof errors

/** The body of every failed call; `error` is the message to show. */
export interface ErrorBody {
  error: string
  code: ErrorCode
  message: string
  details?: unknown
}

/** An error of the catalogue. `details` are sent; `cause` is only logged. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: unknown
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    options: { details?: unknown; retryAfter?: number; cause?: unknown; message?: string } = {},
  ) {
    super(options.message ?? errors[code].message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details
    this.retryAfter = options.retryAfter
  }

  get status(): number {
    return errors[this.code].status
  }

  toBody(): ErrorBody {
    const body: ErrorBody = { error: this.message, code: this.code, message: this.message }
    if (this.details !== undefined) body.details = this.details
    return body
  }
}
