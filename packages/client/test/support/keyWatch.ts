import { vi } from 'vitest'

/** Records what the clients of this process pass to WebCrypto: imported secrets, and lengths of AES keys in use. */
export function watchKeys() {
  const { subtle } = crypto
  const secrets: Uint8Array<ArrayBuffer>[] = []
  const lengths = new Set<number>()
  const importKey = subtle.importKey.bind(subtle)
  vi.spyOn(subtle, 'importKey').mockImplementation(((...given: Parameters<SubtleCrypto['importKey']>) => {
    const [format, material, algorithm] = given as unknown as [string, Uint8Array, string]
    const isSecret = format === 'pkcs8' || algorithm === 'HKDF' || algorithm === 'AES-GCM'
    // In PKCS #8 the secret stands at the end.
    if (isSecret && ArrayBuffer.isView(material)) secrets.push(Uint8Array.from(material).slice(-32))
    return importKey(...given)
  }) as typeof subtle.importKey)
  const encrypt = subtle.encrypt.bind(subtle)
  vi.spyOn(subtle, 'encrypt').mockImplementation(((...given: Parameters<SubtleCrypto['encrypt']>) => {
    lengths.add((given[1].algorithm as AesKeyAlgorithm).length)
    return encrypt(...given)
  }) as typeof subtle.encrypt)
  return { secrets, lengths }
}

/** A secret as it may stand in a text or a file. */
export function writingsOf(secret: Uint8Array): Buffer[] {
  const bytes = Buffer.from(secret)
  return [bytes, ...(['base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(bytes.toString(form)))]
}
