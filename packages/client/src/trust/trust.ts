import type { Peers } from './contacts.ts'
import type { Trust, TrustState } from '../types.ts'

/** Whose key it is: comparing, verifying, and accepting a changed one. */
export interface TrustCalls {
  state(connectionId: string): Promise<Trust>
  /** By connection, of all of them at once; without one whose other party has no keys. */
  states(): Promise<ReadonlyMap<string, TrustState>>
  /** `shown`: the safety number that was on the screen. Throws KEY_CHANGED where it is not that of the key now. */
  markVerified(connectionId: string, shown: string): Promise<void>
  unverify(connectionId: string): Promise<void>
  /** Accepts the changed key, if it is the one of the safety number that was on the screen; it is not verified. */
  accept(connectionId: string, shown: string): Promise<void>
  /** Stops sending to this person, for when the digits do not match. */
  pause(connectionId: string): Promise<void>
  resume(connectionId: string): Promise<void>
}

export const createTrust = (peers: Peers): TrustCalls => ({
  state: peers.trust,
  states: peers.states,
  markVerified: peers.markVerified,
  unverify: peers.unverify,
  accept: peers.accept,
  pause: (connectionId) => peers.pause(connectionId, true),
  resume: (connectionId) => peers.pause(connectionId, false),
})
