/** The binding of each private value, in one place: see `sealPrivate`. */
export const identityBinding = (userId: string) => ({ userId, purpose: 'identity-seed', id: 'identity' })
export const seedBinding = (userId: string, n: number) => ({ userId, purpose: 'epoch-seed', id: String(n) })
export const formerKeyBinding = (userId: string, n: number) => ({
  userId,
  purpose: 'former-account-key',
  id: String(n),
})
export const pinsBinding = (userId: string, version: number) => ({ userId, purpose: 'pins', id: String(version) })
/** `id`: the connection and the tab, as in the draft's name. */
export const draftBinding = (userId: string, id: string) => ({ userId, purpose: 'draft', id })
export const contactEpochsBinding = (userId: string) => ({ userId, purpose: 'seen-epochs', id: 'contacts' })
export const shownMessagesBinding = (userId: string) => ({ userId, purpose: 'message-memory', id: 'messages' })
export const metContactsBinding = (userId: string) => ({ userId, purpose: 'met-contacts', id: 'contacts' })
export const repetitionBinding = (userId: string) => ({ userId, purpose: 'repetition', id: 'texts' })
export const outboxBinding = (userId: string, id: string) => ({ userId, purpose: 'outbox', id })
export const browserBinding = (userId: string, browserId: string) => ({ userId, purpose: 'browser', id: browserId })
