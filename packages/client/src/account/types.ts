import type { OwnKeys } from '@privity/contract/keys'
import type { SignedInUser, User } from '@privity/contract/session'
import type { AccountKey } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import type { SecurityAlert } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { AccountDevice } from '../device/sharedComputer.ts'
import type { TabNotice } from '../device/tabs.ts'
import type { Logout } from './logout.ts'
import type { NextKey } from './keyStore.ts'
import type { RotationLock } from '../device/timedLock.ts'
import type { OwnIdentity } from '../keys/ownIdentity.ts'
import type { PasswordDerivation } from '../keys/passwordKeys.ts'
import type { SharedComputer } from './sharedComputer.ts'
import type { SignInResult } from './signIn.ts'
import type { Store } from '../transport/store.ts'
import type { AccountState } from '../types.ts'

export interface Account {
  state: Store<AccountState>
  /**
   * Finds out who is signed in and loads the keys from this device. The state becomes open, locked (keys missing),
   * factorMissing or signedOut. A failed check throws and counts as signedOut. `known`: the user with their session, if
   * just loaded. `isLockDue`: nobody has used this browser for so long that it opens locked, as do its other tabs.
   * `keys`: those of the page before, with which it opens although the server cannot be asked.
   */
  start(known?: User | SignedInUser, options?: { isLockDue?: boolean; keys?: OwnKeys }): Promise<void>
  /**
   * Opens the account, or returns the step for the second factor. `sharedComputer`: nothing is stored in this browser,
   * and the session ends with the window.
   */
  signIn(options: { username: string; password: string; sharedComputer?: boolean }): Promise<SignInResult>
  /** Whether the account was opened on a shared computer. */
  isTransient(): boolean
  signUp(options: SignUp): Promise<{ user: User; recoveryKey: string }>
  /** WRONG_PASSWORD counts as a failed sign-in; ACCOUNT_LOCKED after too many. */
  unlock(password: string): Promise<void>
  /**
   * Removes the keys from all tabs of this browser and from its storage until `unlock`. The session, the outbox and the
   * drafts stay. Rejects if the device refuses to remove the key; it is removed later then.
   */
  lock(): Promise<void>
  /** Opens the account that waited for a second factor, now that one is set up or no longer required. */
  resume(): Promise<void>
  /** Sets a new password with the recovery key, after the second factor if one is on; other sessions end. */
  resetPassword(options: PasswordReset): Promise<SignInResult>
  /** Removes keys, outbox and drafts from this device, no matter whether the server can be reached. */
  signOut(): Promise<void>
}

interface PasswordReset {
  username: string
  recoveryKey: string
  newPassword: string
  /** As for `signIn`. */
  sharedComputer?: boolean | undefined
}

export interface SignUp {
  firstName: string
  lastName: string
  email: string
  username: string
  password: string
  invitation?: string | undefined
  /** The recovery key is shown only once: until `ownAccount.confirmRecoveryKey` the account counts it as unsaved. */
  recoveryKeyUnsaved?: boolean | undefined
}

/** A user with their decrypted keys, from which a session is opened. */
export interface OpenedAccount {
  user: User
  session: SignedInUser['session']
  accountKey: AccountKey
  own: OwnIdentity
  keys: OwnKeys
  /** Whether the account was created just now, in this browser. */
  isNew: boolean
}

export interface AccountDeps {
  call: Call
  clock: Clock
  device: AccountDevice
  sharedComputer: SharedComputer
  logout: Logout
  whileOpening: RotationLock['whileOpening']
  passwords: PasswordDerivation
  /** Sets the clock by the server's time. */
  correctClock(): Promise<void>
  /** Called before the state becomes 'open'. */
  open(opened: OpenedAccount): Promise<void>
  /** Approves this browser of the open account. */
  approveBrowser(recoveryKey: string): Promise<void>
  /** Closes the session of an account that is no longer open. Resolves when it writes no message or draft any more. */
  close(): Promise<void>
  notifyTabs(notice: TabNotice): void
  alarm: SecurityAlert
}

/** Calls for other parts of the client that change the account's state. */
export interface AccountInternals {
  /** `removeKeys`: removes the account key from this device; false if another tab does, or the session may go on. */
  close(options: { removeKeys: boolean }): Promise<void>
  /** The organization requires a second factor, and none is set up. */
  requireFactor(): Promise<void>
  /** Another tab has locked this browser. */
  followLock(userId: string): Promise<void>
  /** Opens the account that another tab has opened, unless this one has. Closes another member's in any case. */
  followSignIn(userId: string): Promise<void>
  /** The user's own data have changed. */
  setUser(user: User): void
  /** Removes all data of a deleted account from this device. */
  removeData(userId: string): Promise<void>
  /** Stores the account key that may soon replace the current one; undefined removes it. */
  setNextKey(next: NextKey | undefined): Promise<void>
  promoteNextKey(): Promise<void>
  /** Opens the account again with its current keys. */
  reopen(): Promise<void>
  /** Whether this device holds the account key for these keys of the open account. */
  fits(keys: OwnKeys): Promise<boolean>
}
