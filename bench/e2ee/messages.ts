import {
  createEnvelope,
  createEpoch,
  createIdentity,
  fromBase64url,
  importIdentity,
  newId,
  openMessage,
  sealMessage,
} from '@privity/e2ee'
import { compare, type Comparison } from './compare.ts'

const now = Date.UTC(2030, 0, 1)
const operations = 50

async function person() {
  const userId = newId(now)
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch } = await createEpoch({ identity, userId, n: 1, createdAt: now, startsAt: now })
  return { userId, identity, identityKey: identity.publicKey, epoch }
}

/** Sizes of an encrypted 500-character message: the padded plaintext, and the additional authenticated data. */
const sizes = { padded: 1024, aad: 212 + 32 }

async function bareKeys() {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
  return { key, ...pair }
}

/**
 * Compares encrypting and signing, then decrypting and verifying, a 500-character message, in sequence, with
 * WebCrypto's AES-256-GCM and Ed25519 alone over the same bytes with imported keys: the padded text and its additional
 * data are encrypted, and the additional data and the ciphertext are signed. Like ours, the bare side verifies and
 * decrypts concurrently.
 */
export async function measureMessages(rounds: number): Promise<Comparison[]> {
  const [from, to] = [await person(), await person()]
  const ids = { id: newId(now), connectionId: newId(now) }
  const { envelope, conversationKey } = await createEnvelope({ ...ids, sender: from, recipient: to })
  const body = { kind: 'text' as const, text: 'Ten signs. '.repeat(50).slice(0, 500) }
  const messageIds = Array.from({ length: operations }, () => newId(now))
  const context = { sentAt: now, n: 1, lifetime: 1, previous: undefined, otherPrevious: undefined, seen: undefined }
  const seal = (index: number) => {
    const messageId = messageIds[index] as string
    return sealMessage({ conversationKey, identity: from.identity, messageId, envelope, body, context })
  }
  const contents = await Promise.all(messageIds.map((_, index) => seal(index)))
  const open = (index: number) =>
    openMessage({ content: contents[index] as string, conversationKey, envelope, senderIdentityKey: from.identityKey })
  if (fromBase64url(contents[0] as string).length !== 1221) throw new Error('The sealed form has another size.')

  const { key, privateKey, publicKey } = await bareKeys()
  const padded = crypto.getRandomValues(new Uint8Array(sizes.padded))
  const additionalData = crypto.getRandomValues(new Uint8Array(sizes.aad))
  const signed = crypto.getRandomValues(new Uint8Array(sizes.aad + sizes.padded + 16))
  const bareSeal = async () => {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, padded)
    signed.set(new Uint8Array(ciphertext), sizes.aad)
    return { iv, ciphertext, signature: await crypto.subtle.sign('Ed25519', privateKey, signed) }
  }
  const sealed = await bareSeal()
  const bareOpen = () =>
    Promise.all([
      crypto.subtle.verify('Ed25519', publicKey, sealed.signature, signed),
      crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv, additionalData }, key, sealed.ciphertext),
    ])
  const options = { operations, rounds, warmUp: 20 }
  return [
    await compare('message: seal and sign', bareSeal, seal, options),
    await compare('message: open and verify', bareOpen, open, options),
  ]
}
