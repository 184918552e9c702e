/**
 * The entry point of Privity's end-to-end encryption (docs/protocol.md). Runs in browsers, Workers and Node, without
 * network, storage, page or clock of its own. Every refusal is an E2eeError with a code. Code that is rarely needed has
 * entry points of its own, so that it can be loaded lazily: approvalCode.ts, browserEntry.ts, ownBrowserKeys.ts,
 * deletion.ts, founderKeys.ts, grant.ts, identityRecord.ts, nextIdentity.ts, recoveryKey.ts, repetition.ts, report.ts,
 * safetyNumber.ts and thumbnail.ts.
 */
export { E2eeError, type E2eeErrorCode } from './errors.ts'
export { type Bytes, equalBytes, randomBytes } from './encoding/bytes.ts'
export { fromBase64url, toBase64url } from './encoding/base64url.ts'
export { loadKeyAgreement } from './primitives/hpke.ts'
export { newId } from './encoding/id.ts'

export { deriveMasterKey, deriveSignIn, normalizePassword, passwordVersions } from './keys/password.ts'
export {
  type AccountKey,
  createAccountKey,
  importAccountKey,
  openPrivate,
  type PrivateBinding,
  sealPrivate,
  unwrapAccountKey,
  wrapAccountKey,
} from './keys/accountKey.ts'
export { type BrowserKey, createBrowserKey, createKeyShare, openForBrowser, sealForBrowser } from './keys/browserKey.ts'
export { createIdentity, type Identity, importIdentity } from './keys/identity.ts'
export type { FormerIdentity } from './keys/identityRecord.ts'
export { signPinList } from './keys/pinListSignature.ts'

export { createEpoch, type EpochKey, isSeedOf, verifyEpoch } from './keys/epoch.ts'
export { type ConversationKey, createEnvelope, type Envelope, openEnvelope } from './messages/envelope.ts'
export { maxExcerptBytes, type MessageBody, type Quote } from './messages/body.ts'
export type { MessageContext } from './messages/context.ts'
export { messageLink, type OpenedMessage, openMessage, sealMessage } from './messages/message.ts'

export { createFileKey, fileBinding, hashFileKey } from './files/fileKey.ts'
export { openForOwner, openNameForOwner, sealForOwner, sealNameForOwner } from './files/ownerSeal.ts'

export { contactFingerprint } from './keys/contactFingerprint.ts'
