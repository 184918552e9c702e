import type { Connection, Participant } from '@privity/contract/connections'
import type { AuthorizationRequest, FileStatus } from '@privity/contract/files'
import type { MessageProgress } from '@privity/contract/messages'
import type { Notification } from '@privity/contract/notifications'
import type { PreferenceState } from '@privity/contract/preferences'
import type { User } from '@privity/contract/session'
import type { MessageBody, MessageContext } from '@privity/e2ee'
import type { CallErrorCode, UserMessage } from './transport/callError.ts'

/**
 * `locked`: the session is good, but this browser has no keys for it; the password brings them back. `factorMissing`:
 * it is good for nothing but setting up the second factor that the organization requires.
 */
export type AccountState =
  | { status: 'checking' }
  | { status: 'signedOut' }
  | { status: 'locked'; user: User }
  | { status: 'factorMissing'; user: User }
  | { status: 'open'; user: User }

/** The content of a message, or why it cannot be shown (`reasonOf` in messages/decrypt.ts). Deleted: by its sender. */
export type DecryptedBody = MessageBody | { kind: 'deleted' } | { kind: 'unreadable'; reason: UserMessage }

/** Where a message stands among the others, as its sender has signed it. */
export interface SignedPlace extends MessageContext {
  /** The name by which later messages link to it. */
  link: string
  envelopeId: string
}

/** A note that a conversation shows beside a message. */
export interface OrderMark {
  /** A message before this one is missing. */
  isMissingBefore?: true | undefined
  /** It was missing, and came later. */
  isLate?: true | undefined
}

export interface DecryptedMessage extends OrderMark {
  id: string
  connectionId: string
  /** 1, 2, 3 … within the connection. */
  seq: number
  senderId: string
  mine: boolean
  createdAt: number
  expiresAt: number
  body: DecryptedBody
  /** Absent where it could not be opened, or was deleted. */
  signed?: SignedPlace | undefined
  /** Signed with a key of the contact that they have replaced since. */
  earlierKey?: true | undefined
  filePath?: string | undefined
  /** Ciphertext bytes. */
  fileSize?: number | undefined
  /** The file's name, encrypted for the owner, as the server stores it. */
  fileName?: string | undefined
  /** For the owner: the file key, encrypted under their epoch `ownerEpoch`. */
  fileKey?: string | undefined
  ownerEpoch?: number | undefined
}

/** A message on its way. It leaves the outbox once the server has it, right after the event 'message'. */
export interface OutboxItem {
  /** The id that the message will have. */
  id: string
  connectionId: string
  createdAt: number
  body: MessageBody
  /** `failed` stays until retried or discarded. */
  state: 'waiting' | 'sending' | 'failed'
  /** The message that explains the failure. */
  error?: string | undefined
  /** The error's code; `error` is its sentence. */
  code?: CallErrorCode | undefined
  /** Waits until this time with RATE_LIMITED, because the user's browsers have published too many epochs. */
  until?: number | undefined
  /** Failed, and it cannot be sent again without the risk that it arrives twice. */
  isFinal?: true | undefined
}

/** A file on its way. `done` and `size` are bytes of the current phase. */
export interface Transfer {
  id: string
  kind: 'upload' | 'download'
  connectionId: string
  /** The file message: for an upload the one that will be sent. */
  messageId: string
  name: string
  size: number
  /** MIME type, as its sender names it. */
  type: string
  done: number
  phase:
    | 'preparing'
    | 'encrypting'
    | 'uploading'
    | 'sending'
    | 'downloading'
    | 'saving'
    | 'done'
    | 'failed'
    | 'cancelled'
  /** The message that explains the failure. */
  error?: string | undefined
  /** The error's code, where the catalogue or the client has one. */
  code?: CallErrorCode | undefined
  /** Failed only because the server could not be reached: it is retried as soon as that is possible. */
  resumes?: true | undefined
}

/** A request for a file of the user. `name`: decrypted; undefined if that fails, as after its key was destroyed. */
export interface DecryptedRequest extends AuthorizationRequest {
  name: string | undefined
}

/** `linked`: the key is the one of the link that the user connected by; nobody has compared safety numbers. */
export type TrustState = 'unverified' | 'linked' | 'verified' | 'changed'

export interface Trust {
  /** `changed`: the key is not the accepted one; nothing is sent until the user accepts it. */
  state: TrustState
  /** 60 digits, the same on both sides, of the keys as they are now. */
  safetyNumber: string
  /** Whether the accepted key signed the changed one, so that whoever replaced it held the former keys. */
  confirmedByFormer: boolean
  /** The user has stopped sending, because the digits did not match. */
  paused: boolean
  /** Nothing is encrypted for the contact until the user has answered it. */
  question?: ContactQuestion | undefined
  /** Present while the contact has no key of this time. */
  absence?: Absence | undefined
}

/**
 * CONTACT_UNMET: the user has not verified the contact, nor connected with them or written to them in this browser.
 * NAME_CHANGED: a verified contact has another name than when the user verified them.
 */
export type ContactQuestion = { code: 'CONTACT_UNMET' } | { code: 'NAME_CHANGED'; before: string; now: string }

/** A contact whose browsers have published no keys for now: they have not been here for a week or more. */
export interface Absence {
  /** When a browser of theirs last published keys, by its signature. */
  since: number
  /** Whether they can still open what is encrypted now. False: a message waits in the outbox until they are back. */
  canReceive: boolean
}

/** The events of `client.on`. A notice is no promise of delivery: after `resync`, load again. */
export interface ClientEvents {
  message: DecryptedMessage
  /** Its sender has deleted it, here or elsewhere, for both sides. */
  deleted: DecryptedMessage
  progress: MessageProgress
  connection_created: Connection
  connection_removed: { connectionId: string }
  lifetime_changed: { connectionId: string; lifetime: number; userId: string }
  party_changed: { connectionId: string; party: Participant }
  authorization_requested: DecryptedRequest
  authorization_changed: { filePath: string; status: FileStatus }
  expired: { connectionId: string; ids: string[] }
  /** A message is missing, or has come later. `marks`: all of this conversation, by message. Load it again. */
  order_changed: { connectionId: string; marks: ReadonlyMap<string, OrderMark> }
  /** Ask again for every trust state. */
  trust_changed: undefined
  /** The socket is connected, for the first time or again: what was loaded before may be old. */
  resync: undefined
  user_changed: undefined
  preferences_changed: PreferenceState
  /** Users, policy or invitations of the organization that this user administers. */
  organization_changed: undefined
  /** One's own second factors were changed, here or in another browser. */
  second_factor_changed: undefined
  /** One's own browsers: the list, a comparison, or the mode. */
  browsers_changed: undefined
  /** A session of one's own began or ended. */
  sessions_changed: undefined
  notification: Notification
  /** Some were read or removed, here or elsewhere: ask again. */
  notifications_changed: undefined
  /** Requests for a connection, to or by this user. */
  requests_changed: undefined
  /** Somebody was blocked or unblocked by this user. */
  blocks_changed: undefined
  /**
   * `elsewhere`: another tab signed out; `ended`: the server ended the session. `because`: an EndReason, or one that
   * only a newer server knows, or `keys_not_opened`: the keys were replaced, and this browser could not open the new
   * ones; absent where there is none, or this browser was not connected.
   */
  signed_out: { reason: 'elsewhere' | 'ended'; because?: string }
  /** The server shows keys, pins or contacts that contradict what this browser knows. */
  alarm: UserMessage
  /**
   * Unsent messages and drafts, `count` of them, were removed from this device: they were encrypted under former keys,
   * which are destroyed.
   */
  work_lost: { count: number }
}
