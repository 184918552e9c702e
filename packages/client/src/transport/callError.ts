import { clientErrors, type ErrorCode } from '@privity/contract/errors'

/** Errors of the client beyond the server's catalogue. */
const ownErrors = {
  OFFLINE: 'The server cannot be reached. Check your connection.',
  RESPONSE_UNREADABLE: 'The server sent a response that this version does not understand. Reload the page.',
  CODE_GONE: 'A part of this page could not be loaded. Reload the page.',
  KEY_CHANGED: 'Their encryption key has changed. Review it before you send or approve anything.',
  PAUSED: 'You have paused sending to this person.',
  LINK_OTHER:
    'The key that the server shows for this person is not the one in their link. You are not connected. Ask them over another channel whether they have replaced their keys.',
  CONTACT_UNMET: 'This browser meets this person for the first time. Answer the question in the conversation first.',
  NAME_CHANGED:
    'The name of this person has changed since you verified them. Answer the question in the conversation first.',
  CONTACT_AWAY: 'This person has been away for too long. Nothing is encrypted for them until they are back.',
  KEY_OLD: 'The server sent an older encryption key of this person than before. Nothing was sent.',
  KEYS_ALTERED: 'The server shows different encryption keys for your account than the ones you created.',
  KEYS_FORGED: 'The keys that the server sends for this person do not match each other. They cannot be accepted.',
  REQUEST_ALTERED: 'This request does not belong to the person you sent the file to. Nothing was approved.',
  FILE_OTHER: 'The server sent the key of a different file than the one shown. Nothing was approved.',
  PARTY_ALTERED:
    'The server shows a different person in place of one of your contacts. That connection is hidden, and nothing is sent to it.',
  OWN_KEYS_OTHER:
    'The server shows different keys for your account than the ones you created. Your contacts may be deceived.',
  OWN_KEYS_OLDER: 'The server has returned older keys of your account than this browser has seen.',
  OWN_KEYS_DAMAGED:
    'The server has lost or altered one of the keys that decrypt your messages. Messages of those hours cannot be shown.',
  BROWSER_COPIED:
    'Another copy of this browser is in use. Sign out here if you do not know why, and remove the other copy in Account settings.',
  BROWSERS_ALTERED:
    'The server shows a browser in your list that does not belong there. Nothing is encrypted for that browser.',
  BROWSER_MODE_OLDER:
    'The server has returned an older setting of "Only approved browsers". The one that you chose last applies; a browser that is not approved keeps the stricter one.',
  ACCEPTED_LOST: 'The server has lost or altered the list of keys you have accepted. Compare safety numbers again.',
  ACCEPTED_OLDER: 'The server has returned an older list of the keys you have accepted. Compare safety numbers again.',
  ACCEPTED_OTHER:
    'The server has returned a different list of accepted keys than this browser knows. The list in this browser applies. Compare safety numbers again.',
  REQUEST_STRANGE:
    'The server shows a request for one of your files from a different person than the one you sent it to. The request is hidden.',
  MESSAGE_MISSING:
    'A message in one of your conversations is missing: the server has not delivered it. The place is marked there.',
  KEY_DESTROYED: 'The key of those hours has been destroyed.',
  RECOVERY_KEY_WRONG: 'This is not your current account recovery key.',
  BEFORE_APPROVAL:
    'This is from before you first used this browser, which is not approved. Approve the browser in Account Settings, or read this in one that is approved.',
  MESSAGE_SIGNATURE: 'This message is not shown: it was not signed with the key you have accepted.',
  MESSAGE_BETWEEN_KEYS:
    'This message is not shown: the server dates it before you accepted their current key, and it was not signed with a key you have accepted. If they have replaced their keys since, ask them to send it again.',
  MESSAGE_COMMITMENT: 'This message is not shown: its content failed an integrity check.',
  MESSAGE_ALTERED: 'This message is not shown: it was altered in transit.',
  MESSAGE_MISPLACED: 'This message is not shown: it does not belong where the server shows it.',
  DELETION_UNSIGNED:
    'This message is not shown: the server says that it was deleted, but its sender has not signed that.',
  MESSAGE_UNREADABLE: 'This message cannot be decrypted.',
  MESSAGE_DESTROYED: 'This message cannot be decrypted: the key of those hours has been destroyed.',
  FILE_DAMAGED: 'The file was altered in transit or is not the one that was sent. Nothing was saved.',
  METADATA_STAYS:
    'Location, time and camera details cannot be removed from this picture. To share it as it is, switch off Remove photo metadata and try again.',
  STORAGE_FAILED:
    'This browser does not store the data that Privity needs. Allow storage for this page or free some space, then try again.',
  EMPTY: 'Write something first.',
  TOO_LONG: 'A message has at most 500 characters.',
  ARRIVAL_UNKNOWN: 'It is not known whether this message arrived.',
  TOO_OLD: 'This message waited longer than messages are kept and was not sent.',
} as const

export type CallErrorCode = ErrorCode | keyof typeof ownErrors

function messageFor(code: CallErrorCode): string {
  if (code in ownErrors) return ownErrors[code as keyof typeof ownErrors]
  return (clientErrors[code as keyof typeof clientErrors] ?? clientErrors.INTERNAL).message
}

/** An error code and the message shown to the user. */
export interface UserMessage {
  code: CallErrorCode
  sentence: string
}

export const toUserMessage = (code: CallErrorCode): UserMessage => ({ code, sentence: messageFor(code) })

/** Alerts the user that the server shows data that contradicts what this browser knows. */
export type SecurityAlert = (code: CallErrorCode) => void

/** Emits each code once. */
export function createSecurityAlert(emit: (message: UserMessage) => void): SecurityAlert {
  const emitted = new Set<CallErrorCode>()
  return (code) => {
    if (emitted.has(code)) return
    emitted.add(code)
    emit(toUserMessage(code))
  }
}

/**
 * A failure that is shown to the user. `message` is 'status: body text', as the data layer expects it; `sentence` is
 * shown. Status 0: no response arrived, or no call was made.
 */
export class CallError extends Error {
  readonly status: number
  readonly code: CallErrorCode
  readonly sentence: string
  /** Whether the response had no sentence, so that `sentence` is the general one of the code. */
  readonly unexplained: boolean
  readonly details: unknown
  /** Seconds to wait, from the Retry-After header. */
  readonly retryAfter: number | undefined

  constructor(
    code: CallErrorCode,
    options: {
      status?: number
      sentence?: string | undefined
      unexplained?: boolean
      text?: string
      details?: unknown
      retryAfter?: number | undefined
      cause?: unknown
    } = {},
  ) {
    const { status = 0, sentence = messageFor(code) } = options
    super(`${status}: ${options.text ?? sentence}`, { cause: options.cause })
    this.name = 'CallError'
    this.status = status
    this.code = code
    this.sentence = sentence
    this.unexplained = options.unexplained ?? false
    this.details = options.details
    this.retryAfter = options.retryAfter
  }
}

export const isCallError = (error: unknown, ...codes: CallErrorCode[]): error is CallError =>
  error instanceof CallError && (codes.length === 0 || codes.includes(error.code))

/** Whether the same call may succeed later without anyone changing anything. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof CallError &&
  (error.code === 'OFFLINE' || error.status === 429 || (error.status >= 500 && error.code !== 'STORAGE_FULL'))

/** Whether the same call may succeed later, also once a full server has space. */
export const maySucceedLater = (error: unknown): boolean => isRetryable(error) || isCallError(error, 'STORAGE_FULL')
