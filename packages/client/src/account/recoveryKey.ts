/** Throws an E2eeError where it is no recovery key. Its code is fetched when somebody types one. */
export const deriveRecovery = async (text: string): Promise<{ proof: string; wrapKey: CryptoKey }> =>
  (await import('@privity/e2ee/recoveryKey')).deriveRecovery(text)
