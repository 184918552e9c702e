import type { Contacts, TrustCalls } from './types.ts'

export const createTrust = (contacts: Contacts): TrustCalls => ({
  state: contacts.trust,
  states: contacts.states,
  markVerified: contacts.markVerified,
  unverify: contacts.unverify,
  confirm: contacts.confirm,
  accept: contacts.accept,
  ownFingerprint: async () => contacts.ownFingerprint(),
  confirmByLink: contacts.confirmByLink,
  pause: (connectionId) => contacts.pause(connectionId, true),
  resume: (connectionId) => contacts.pause(connectionId, false),
})
