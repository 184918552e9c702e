/**
 * The one door to Privity's end-to-end encryption (docs/protocol.md). Runs in browsers, Workers and Node:
 * no network, storage, page or clock of its own. Every refusal is an E2eeError with a code. What few need, and only
 * now and then, has a door of its own, so that it can be fetched then: recoveryKey.ts, identityRecord.ts, repetition.ts
 * and report.ts.
 */
export { E2eeError, type E2eeErrorCode } from './errors.ts'
export { type Bytes, equalBytes, randomBytes } from './bytes.ts'
export { fromBase64url, toBase64url } from './base64url.ts'
export { loadKeyAgreement } from './hpke.ts'
export { newId } from './id.ts'

export { deriveMasterKey, deriveSignIn, normalizePassword, passwordVersions } from './password.ts'
export {
  type AccountKey,
  createAccountKey,
  importAccountKey,
  openPrivate,
  type PrivateBinding,
  sealPrivate,
  unwrapAccountKey,
  wrapAccountKey,
} from './accountKey.ts'
export { createIdentity, type Identity, importIdentity } from './identity.ts'
export type { FormerIdentity } from './identityRecord.ts'

export { createEpoch, type EpochKey, verifyEpoch } from './epoch.ts'
export { type ConversationKey, createEnvelope, type Envelope, openEnvelope } from './envelope.ts'
export type { MessageBody } from './body.ts'
export { type OpenedMessage, openMessage, sealMessage } from './message.ts'

export { createFileKey, hashFileKey } from './fileKey.ts'
export { decryptFile, encryptFile, fileBinding } from './file.ts'
export type { ByteSource } from './pieces.ts'
export { createHasher, type Hasher } from './fileHash.ts'
export { openForOwner, sealForOwner } from './ownerSeal.ts'
export { createGrant, type Grant, openGrant } from './grant.ts'

export { safetyNumber } from './safetyNumber.ts'
