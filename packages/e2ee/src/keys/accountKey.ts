import { type Bytes, randomBytes, toUtf8 } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { deriveInfo, deriveSealingKey, importSecret } from '../primitives/derive.ts'
import { E2eeError } from '../errors.ts'
import { idBytes } from '../encoding/id.ts'
import { openText, sealText } from '../primitives/aead.ts'

/** A non-extractable HKDF key: it can be stored in IndexedDB, and derives the sealing keys. */
export type AccountKey = CryptoKey

export interface AccountKeyWrap {
  userId: string
  purpose: 'password' | 'recovery'
}

/** The binding of a private value, which opens for this user, purpose and id only. */
export interface PrivateBinding {
  userId: string
  purpose: string
  id: string
}

export function createAccountKey(): Bytes {
  return randomBytes(32)
}

function checkLength(raw: Bytes): void {
  if (raw.length !== 32) throw new E2eeError('MALFORMED', 'An account key has 32 bytes.')
}

export async function importAccountKey(raw: Bytes): Promise<AccountKey> {
  checkLength(raw)
  return importSecret(raw)
}

const wrapBinding = ({ userId, purpose }: AccountKeyWrap) =>
  encode('account-key', [idBytes(userId), toUtf8(purpose), toUtf8('account-key')])

/** `wrapKey` is that of deriveSignIn or of deriveRecovery, as `purpose` says. */
export async function wrapAccountKey(wrapKey: CryptoKey, raw: Bytes, wrap: AccountKeyWrap): Promise<string> {
  checkLength(raw)
  return sealText(wrapKey, wrapBinding(wrap), raw)
}

export async function unwrapAccountKey(wrapKey: CryptoKey, wrapped: string, wrap: AccountKeyWrap): Promise<Bytes> {
  const raw = await openText(wrapKey, wrapBinding(wrap), wrapped)
  checkLength(raw)
  return raw
}

const sealingKeys = new WeakMap<AccountKey, Map<string, Promise<CryptoKey>>>()

/** One derived key for each user and purpose, cached while the account key is in use. */
function sealingKeyOf(accountKey: AccountKey, { userId, purpose }: PrivateBinding): Promise<CryptoKey> {
  let byPurpose = sealingKeys.get(accountKey)
  if (!byPurpose) sealingKeys.set(accountKey, (byPurpose = new Map()))
  const name = `${userId}/${purpose}`
  let key = byPurpose.get(name)
  if (!key) {
    key = deriveSealingKey(accountKey, deriveInfo('private-key', idBytes(userId), toUtf8(purpose)))
    byPurpose.set(name, key)
  }
  return key
}

const privateBinding = ({ userId, purpose, id }: PrivateBinding) =>
  encode('private', [idBytes(userId), toUtf8(purpose), toUtf8(id)])

/** Seals a private value: identity seed, epoch seeds, pins, drafts, outbox. */
export async function sealPrivate(accountKey: AccountKey, binding: PrivateBinding, plain: Bytes): Promise<string> {
  return sealText(await sealingKeyOf(accountKey, binding), privateBinding(binding), plain)
}

/** Throws MALFORMED or AUTHENTICATION_FAILED. */
export async function openPrivate(accountKey: AccountKey, binding: PrivateBinding, sealed: string): Promise<Bytes> {
  return openText(await sealingKeyOf(accountKey, binding), privateBinding(binding), sealed)
}
