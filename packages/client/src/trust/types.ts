import type { ContactKeys } from '@privity/contract/keys'
import type { Trust, TrustState } from '../types.ts'
import type { Pin } from './pinList.ts'

/** The contact at the other end of a connection: the keys that the server returns, and what the user has accepted. */
export interface Contact {
  /** As accepted; as the server returns it while nothing is accepted. */
  userId: string
  keys: ContactKeys
  /** Absent only where `changed`. */
  pin: Pin | undefined
  /** The server returns another user or identity key than the accepted one. */
  changed: boolean
}

/** Comparing and verifying a contact's key, and accepting a changed one. */
export interface TrustCalls {
  state(connectionId: string): Promise<Trust>
  /** All states by connection, without contacts that have no keys. Pins keys that are seen for the first time. */
  states(): Promise<ReadonlyMap<string, TrustState>>
  /** `shown`: the safety number that was on the screen. Throws KEY_CHANGED where it is not that of the key now. */
  markVerified(connectionId: string, shown: string): Promise<void>
  unverify(connectionId: string): Promise<void>
  /** Answers the question about a contact: go on with them. `name`: the new one in a question about a changed name. */
  confirm(connectionId: string, name?: string): Promise<void>
  /** Accepts the changed key, if it is the one of the safety number that was on the screen; it is not verified. */
  accept(connectionId: string, shown: string): Promise<void>
  /** The fingerprint of the user's own identity key, for the link to their connection code. */
  ownFingerprint(): Promise<string>
  /** Marks the contact as confirmed by a link. False, with nothing changed, unless their key has this fingerprint. */
  confirmByLink(connectionId: string, fingerprint: string): Promise<boolean>
  /** Pauses sending to this contact, because the digits do not match. */
  pause(connectionId: string): Promise<void>
  resume(connectionId: string): Promise<void>
}

export interface Contacts extends Pick<
  TrustCalls,
  'states' | 'markVerified' | 'unverify' | 'confirm' | 'accept' | 'confirmByLink'
> {
  ownFingerprint(): string
  get(connectionId: string): Promise<Contact>
  /** As `get`, to encrypt for the contact. Throws KEY_CHANGED, PAUSED, or the code of an unanswered question. */
  getForSending(connectionId: string): Promise<Contact & { pin: Pin }>
  /** The contact's user id: as accepted, or as the server returns it while nothing is accepted. */
  userIdOf(connectionId: string): Promise<string>
  /** The contact as accepted, without a request to the server. */
  accepted(connectionId: string): { userId: string; pin: Pin } | undefined
  /** The accepted identity key that this browser knows. */
  acceptedKey(connectionId: string): string | undefined
  /** Whether their current key was accepted after this time. */
  hasAcceptedKeyAfter(connectionId: string, time: number): boolean
  /** Since when the contact has certainly had keys without a gap, as far as this page knows. */
  presentSince(connectionId: string): number
  /** Drops the cached keys: the next use loads them again. */
  invalidate(connectionId: string): void
  invalidateUser(userId: string): void
  invalidateAll(): void
  trust(connectionId: string): Promise<Trust>
  pause(connectionId: string, paused: boolean): Promise<void>
}
