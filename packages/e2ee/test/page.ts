import * as files from '../src/files/fileEncryption.ts'
import { createHasher } from '../src/files/fileHash.ts'
import * as e2ee from '../src/index.ts'
import { deriveRecovery } from '../src/keys/recoveryKey.ts'
import { verify } from '../src/primitives/signatures.ts'

/** Functions that chromium.test.ts calls in the page. Only strings and numbers cross. */
async function createPerson(createdAt: number) {
  const userId = e2ee.newId(createdAt)
  const identitySeed = (await e2ee.createIdentity()).seed
  const identity = await e2ee.importIdentity(identitySeed)
  const { epoch, seed } = await e2ee.createEpoch({ identity, userId, n: 1, createdAt, startsAt: createdAt })
  const seeds = { identitySeed: e2ee.toBase64url(identitySeed), seed: e2ee.toBase64url(seed) }
  return { userId, identityKey: identity.publicKey, epoch, ...seeds }
}
export type FarPerson = Awaited<ReturnType<typeof createPerson>>

async function send(sender: FarPerson, recipient: Omit<FarPerson, 'seed' | 'identitySeed'>, text: string) {
  const identity = await e2ee.importIdentity(e2ee.fromBase64url(sender.identitySeed))
  const ids = { id: e2ee.newId(1), connectionId: e2ee.newId(1) }
  const { envelope, conversationKey } = await e2ee.createEnvelope({
    ...ids,
    sender: { ...sender, identity },
    recipient,
  })
  const body = { kind: 'text' as const, text }
  const messageId = e2ee.newId(1)
  const context = { sentAt: 1, n: 1, lifetime: 1, previous: undefined, otherPrevious: undefined, seen: undefined }
  const content = await e2ee.sealMessage({ conversationKey, identity, messageId, envelope, body, context })
  return { envelope, content }
}
export type Sent = Awaited<ReturnType<typeof send>>

async function receive(me: FarPerson, contact: { userId: string; identityKey: string }, { envelope, content }: Sent) {
  const seed = e2ee.fromBase64url(me.seed)
  const conversationKey = await e2ee.openEnvelope({ envelope, me, seed, contact })
  const opened = await e2ee.openMessage({ content, conversationKey, envelope, senderIdentityKey: contact.identityKey })
  return opened.body
}

async function derived(password: string, username: string, recoveryKey: string) {
  const { authKey } = await e2ee.deriveSignIn(await e2ee.deriveMasterKey(password, username))
  return { authKey, proof: (await deriveRecovery(recoveryKey)).proof }
}

async function encryptFile(key: string, plain: string) {
  const hasher = createHasher()
  const parts: Uint8Array<ArrayBuffer>[] = []
  const source = new Blob([e2ee.fromBase64url(plain)]).stream()
  for await (const piece of files.encryptFile(e2ee.fromBase64url(key), source, new Uint8Array(1))) {
    await hasher.update(piece)
    parts.push(piece)
  }
  const sealed = new Uint8Array(await new Blob(parts).arrayBuffer())
  return { sealed: e2ee.toBase64url(sealed), hash: await hasher.digest() }
}

async function decryptFile(key: string, sealed: string) {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const source = new Blob([e2ee.fromBase64url(sealed)]).stream()
  for await (const piece of files.decryptFile(e2ee.fromBase64url(key), source, new Uint8Array(1))) parts.push(piece)
  return e2ee.toBase64url(new Uint8Array(await new Blob(parts).arrayBuffer()))
}

const codeOf = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'accepted',
      (refused: unknown) => (refused instanceof e2ee.E2eeError ? refused.code : String(refused)),
    )

const check = (publicKey: string, signature: string, message: string) =>
  codeOf(() => verify(publicKey, e2ee.fromBase64url(signature), e2ee.fromBase64url(message)))
const readBase64url = (text: string) => codeOf(() => e2ee.fromBase64url(text))

const far = { createPerson, send, receive, derived, encryptFile, decryptFile, check, readBase64url }
export type Far = typeof far
Object.assign(globalThis, { far, ready: true })
