import type { Drafts } from './messages/drafts.ts'
import type { Files } from './files/files.ts'
import type { Session } from './session.ts'
import type { TrustCalls } from './trust/contacts.ts'

/**
 * Forwards to the files of the session that is open at the time of the call; `current` throws NOT_SIGNED_IN without
 * one.
 */
export const forwardFiles = (current: () => Session): Files => ({
  send: (...given) => current().files.send(...given),
  download: (...given) => current().files.download(...given),
  status: async (filePath) => current().files.status(filePath),
  request: async (message) => current().files.request(message),
  pending: async () => current().files.pending(),
  decide: async (...given) => current().files.decide(...given),
  revoke: async (id) => current().files.revoke(id),
  allow: async (...given) => current().files.allow(...given),
  cancel: (id) => current().files.cancel(id),
  retry: (id) => current().files.retry(id),
  dismiss: (id) => current().files.dismiss(id),
})

/** Forwards to the drafts of the open session. */
export const forwardDrafts = (current: () => Session): Drafts => ({
  get: async (connectionId) => current().drafts.get(connectionId),
  take: async (connectionId) => current().drafts.take(connectionId),
  set: async (connectionId, text) => current().drafts.set(connectionId, text),
})

/** Forwards to the trust calls of the open session. */
export const forwardTrust = (current: () => Session): TrustCalls => ({
  state: async (id) => current().trust.state(id),
  states: async () => current().trust.states(),
  markVerified: async (...given) => current().trust.markVerified(...given),
  unverify: async (id) => current().trust.unverify(id),
  accept: async (...given) => current().trust.accept(...given),
  pause: async (id) => current().trust.pause(id),
  resume: async (id) => current().trust.resume(id),
})
