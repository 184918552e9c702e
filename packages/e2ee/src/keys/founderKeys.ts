import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, concat, toUtf8 } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { deriveBytes, deriveInfo, importSealingKey, importSecret } from '../primitives/derive.ts'
import { type BrowserKey, sealingKeyOf } from './browserKey.ts'
import { E2eeError } from '../errors.ts'
import { sha256 } from '../primitives/hash.ts'
import { idBytes } from '../encoding/id.ts'
import { deriveFromPassword } from './password.ts'
import { openText, sealText } from '../primitives/aead.ts'

const saltBytes = 16
const seedBytes = 32

/**
 * Derives the master key from the founder's password. `salt`: the deployment's own 16 bytes, as base64url. Like
 * deriveMasterKey, meant for a Worker.
 */
export async function deriveFounderMasterKey(password: string, salt: string): Promise<Bytes> {
  const own = fromBase64urlOf(salt, saltBytes)
  return deriveFromPassword(password, sha256(concat(toUtf8('privity/founder/v1'), own)))
}

/** The founder's key that wraps the report keys, with its bytes for storage in the browser. */
export interface FounderWrapKey {
  wrapKey: CryptoKey
  raw: Bytes
}

const toWrapKey = async (raw: Bytes): Promise<FounderWrapKey> => ({ wrapKey: await importSealingKey(raw), raw })

/** The value sent in the `password` field of the founder's sign-in, and the key that wraps the report keys. */
export async function deriveFounderSignIn(masterKey: Bytes): Promise<FounderWrapKey & { authKey: string }> {
  const secret = await importSecret(masterKey)
  const [auth, raw] = await Promise.all([
    deriveBytes(secret, deriveInfo('founder-auth')),
    deriveBytes(secret, deriveInfo('founder-wrap')),
  ])
  return { authKey: toBase64url(auth), ...(await toWrapKey(raw)) }
}

const storageBinding = (sessionId: string) => encode('founder-wrap-key', [toUtf8('browser'), idBytes(sessionId)])

/** Seals the wrapping key for storage in the browser during a session; it opens only with both halves. */
export const sealWrapKey = async (browserKey: BrowserKey, session: FounderShare, raw: Bytes): Promise<string> =>
  sealText(await sealingKeyOf(browserKey, session.keyShare), storageBinding(session.id), raw)

/** Throws MALFORMED or AUTHENTICATION_FAILED: sealed in another session. */
export const openWrapKey = async (
  browserKey: BrowserKey,
  session: FounderShare,
  sealed: string,
): Promise<FounderWrapKey> =>
  toWrapKey(await openText(await sealingKeyOf(browserKey, session.keyShare), storageBinding(session.id), sealed))

/** A session of the founder with the share that the server holds for it, 32 bytes as base64url. */
export interface FounderShare {
  id: string
  keyShare: string
}

/** The binding of a report key's seed. `publicKey`: base64url. */
export interface ReportKeyBinding {
  id: string
  publicKey: string
}

const bindingOf = ({ id, publicKey }: ReportKeyBinding) => encode('report-key', [idBytes(id), toUtf8(publicKey)])

export async function wrapReportSeed(wrapKey: CryptoKey, seed: Bytes, binding: ReportKeyBinding): Promise<string> {
  if (seed.length !== seedBytes) throw new E2eeError('MALFORMED', 'The seed of a report key has 32 bytes.')
  return sealText(wrapKey, bindingOf(binding), seed)
}

/** Throws MALFORMED or AUTHENTICATION_FAILED: another password than the one it was wrapped with. */
export async function unwrapReportSeed(wrapKey: CryptoKey, wrapped: string, binding: ReportKeyBinding): Promise<Bytes> {
  return openText(wrapKey, bindingOf(binding), wrapped)
}
