import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, randomBytes, toUtf8 } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { E2eeError } from '../errors.ts'
import { idBytes } from '../encoding/id.ts'
import { openText, sealText } from '../primitives/aead.ts'
import { deriveInfo, deriveSealingKey, importSecret } from '../primitives/derive.ts'

/**
 * A non-extractable HKDF key that one browser stores. Scripts cannot read it out, but a copy of the disk can, so it
 * opens nothing alone: the other half is the share that the server holds for the session.
 */
export type BrowserKey = CryptoKey

const shareBytes = 32
const accountKeyBytes = 32

export const createBrowserKey = (): Promise<BrowserKey> => importSecret(randomBytes(32))

/** The server's half, as base64url. */
export const createKeyShare = (): string => toBase64url(randomBytes(shareBytes))

/** The account key of this user, stored in the browser during this session. */
export interface StoredKeyBinding {
  userId: string
  sessionId: string
}

const bindingOf = ({ userId, sessionId }: StoredKeyBinding) =>
  encode('account-key', [idBytes(userId), toUtf8('browser'), idBytes(sessionId)])

/** The key of what a browser stores for one session. `share`: the server's half. */
export const sealingKeyOf = (browserKey: BrowserKey, share: string) =>
  deriveSealingKey(browserKey, deriveInfo('browser-wrap', fromBase64urlOf(share, shareBytes)))

/** Seals the account key for storage in the browser. It opens only with both halves. */
export async function sealForBrowser(
  browserKey: BrowserKey,
  share: string,
  raw: Bytes,
  binding: StoredKeyBinding,
): Promise<string> {
  if (raw.length !== accountKeyBytes) throw new E2eeError('MALFORMED', 'An account key has 32 bytes.')
  return sealText(await sealingKeyOf(browserKey, share), bindingOf(binding), raw)
}

/** Throws MALFORMED or AUTHENTICATION_FAILED. */
export async function openForBrowser(
  browserKey: BrowserKey,
  share: string,
  sealed: string,
  binding: StoredKeyBinding,
): Promise<Bytes> {
  return openText(await sealingKeyOf(browserKey, share), bindingOf(binding), sealed)
}
