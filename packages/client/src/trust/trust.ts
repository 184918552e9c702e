import type { Contacts } from './contacts.ts'
import type { Trust, TrustState } from '../types.ts'

/** Comparing and verifying a contact's key, and accepting a changed one. */
export interface TrustCalls {
  state(connectionId: string): Promise<Trust>
  /** All states by connection; contacts without keys are left out. */
  states(): Promise<ReadonlyMap<string, TrustState>>
  /** `shown`: the safety number that was on the screen. Throws KEY_CHANGED where it is not that of the key now. */
  markVerified(connectionId: string, shown: string): Promise<void>
  unverify(connectionId: string): Promise<void>
  /** Accepts the changed key, if it is the one of the safety number that was on the screen; it is not verified. */
  accept(connectionId: string, shown: string): Promise<void>
  /** Pauses sending to this contact, because the digits do not match. */
  pause(connectionId: string): Promise<void>
  resume(connectionId: string): Promise<void>
}

export const createTrust = (contacts: Contacts): TrustCalls => ({
  state: contacts.trust,
  states: contacts.states,
  markVerified: contacts.markVerified,
  unverify: contacts.unverify,
  accept: contacts.accept,
  pause: (connectionId) => contacts.pause(connectionId, true),
  resume: (connectionId) => contacts.pause(connectionId, false),
})
