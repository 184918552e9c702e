/**
 * The one door to everything a browser tab does that is not drawing: typed calls, sign-in and keys, sealing and
 * opening, files, the live socket, the outbox. Runs in browsers and in Node.
 */
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { Account } from './account/account.ts'
export { CallError, type CallErrorCode, isCallError } from './transport/callError.ts'
export { type Clock, systemClock } from './transport/clock.ts'
export { createBrowserDevice, createMemoryDevice, type Device } from './device/device.ts'
export type { ExportFacts, ExportFile, ExportOptions, ExportProgress, ExportTexts } from './export/types.ts'
export type { PreferenceAccess } from './preferences.ts'
export type { Privacy } from './privacy.ts'
export { createNodeConnection } from './node.ts'
export { type FileCrypto, type OpenJob, openFile, type SealJob, sealFile } from './files/fileCrypto.ts'
export { type Failure, fromFailure, toFailure } from './files/workerError.ts'
export type {
  CurrentOrganization,
  InvitationsPage,
  Invited,
  Organization,
  UsersPage,
  UsersQuery,
} from './organization.ts'
export type { OwnAccount, PreparedRecoveryKey } from './account/ownAccount.ts'
export type { Save } from './files/download.ts'
export type { NotificationPage } from './notifications.ts'
export type { Confirmation, SecondFactor, SecondFactorChange } from './account/secondFactor.ts'
export type { SecondFactorStep } from './account/secondFactorStep.ts'
export type { SignInResult } from './account/signIn.ts'
export type { LiveState, OpenSocket } from './transport/socket.ts'
export type { Store } from './transport/store.ts'
export type {
  AccountState,
  ClientEvents,
  OpenedBody,
  OpenedMessage,
  OpenedRequest,
  OutboxItem,
  Transfer,
  Trust,
  TrustState,
} from './types.ts'
export { deriveRecovery } from './account/recoveryKey.ts'
export { deriveMasterKey, E2eeError } from '@privity/e2ee'
export type { Unsent } from './account/unsentWork.ts'
