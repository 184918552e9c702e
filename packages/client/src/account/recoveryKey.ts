/** Throws E2eeError if the text is no recovery key. Loaded lazily: only recovery needs the code. */
export const deriveRecovery = async (text: string): Promise<{ proof: string; wrapKey: CryptoKey }> =>
  (await import('@privity/e2ee/recoveryKey')).deriveRecovery(text)
