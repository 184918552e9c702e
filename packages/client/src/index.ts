/**
 * The members' entry: everything that a browser tab does apart from drawing, that is typed calls, sign-in and keys,
 * encryption, files, the live socket and the outbox. Runs in browsers and in Node.
 */
export { type Client, createClient } from './client.ts'
export type { ClientOptions } from './clientOptions.ts'
export type { Account } from './account/types.ts'
export { CallError, type CallErrorCode, isCallError } from './transport/callError.ts'
export { type Clock, systemClock } from './transport/clock.ts'
export { loadError } from './transport/lazy.ts'
export { createBrowserDevice, createMemoryDevice, type Device } from './device/device.ts'
export type { ExportFacts, ExportFile, ExportOptions, ExportProgress, ExportTexts } from './export/types.ts'
export type { PreferenceAccess } from './preferences.ts'
export type { HandedOver } from './pageReload.ts'
export type { Privacy } from './privacy.ts'
export type { Push } from './push.ts'
export { createNodeConnection } from './node.ts'
export type { FileCrypto, DecryptJob, EncryptJob } from './files/fileCrypto.ts'
export { downloadAndDecrypt, encryptBlob } from './files/localFileCrypto.ts'
export { type WorkerError, fromWorkerError, toWorkerError } from './files/workerError.ts'
export type {
  CurrentOrganization,
  InvitationsPage,
  Invited,
  Organization,
  UsersPage,
  UsersQuery,
} from './organization.ts'
export type { Comparison, ComparisonState } from './keys/browsers/approval.ts'
export type { ShownBrowsers } from './keys/browsers/browserSettings.ts'
export type { OwnAccount, PreparedRecoveryKey } from './account/ownAccount.ts'
export type { Save } from './files/download.ts'
export type { NotificationPage } from './notifications.ts'
export type { Confirmation, SecondFactor, SecondFactorChange } from './account/secondFactor.ts'
export type { SecondFactorStep } from './account/secondFactorStep.ts'
export type { SignInResult } from './account/signIn.ts'
export type { LiveState, OpenSocket } from './transport/socket.ts'
export type { Store } from './transport/store.ts'
export type {
  Absence,
  ContactQuestion,
  AccountState,
  ClientEvents,
  DecryptedBody,
  DecryptedMessage,
  DecryptedRequest,
  OrderMark,
  OutboxItem,
  SignedPlace,
  Transfer,
  Trust,
  TrustState,
} from './types.ts'
export { quotableText, quoteOf } from './messages/excerpt.ts'
export { confirmedMessages, sortByLinks } from './messages/order/linkedOrder.ts'
export { deriveRecovery } from './account/recoveryKey.ts'
export { deriveMasterKey, E2eeError, type Quote } from '@privity/e2ee'
export type { UnsentWork } from './account/unsentWork.ts'
