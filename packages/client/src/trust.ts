import type { Peers } from './peers.ts'
import type { Trust } from './types.ts'

/** Whose key it is: comparing, verifying, and accepting a changed one. */
export interface TrustCalls {
  state(connectionId: string): Promise<Trust>
  markVerified(connectionId: string): Promise<void>
  unverify(connectionId: string): Promise<void>
  /** Accepts the changed key; it is not verified. */
  accept(connectionId: string): Promise<void>
  /** Stops sending to this person, for when the digits do not match. */
  pause(connectionId: string): Promise<void>
  resume(connectionId: string): Promise<void>
}

export const createTrust = (peers: Peers): TrustCalls => ({
  state: peers.trust,
  markVerified: peers.markVerified,
  unverify: peers.unverify,
  accept: peers.accept,
  pause: (connectionId) => peers.pause(connectionId, true),
  resume: (connectionId) => peers.pause(connectionId, false),
})
