import { keys as keysContract, type OwnKeys } from '@privity/contract/keys'
import { session as contract, type User } from '@privity/contract/session'
import { type AccountKey, type Bytes, E2eeError, importAccountKey, unwrapAccountKey } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { type SecurityAlert, CallError, isCallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'
import type { Logout } from './logout.ts'
import { createKeyStore, type StoredKey } from './keyStore.ts'
import type { RotationLock } from './newKeys/rotationLock.ts'
import { openIdentity, type OwnIdentity } from '../keys/ownIdentity.ts'
import { keysFor, type PasswordDerivation, toCredentials } from '../keys/passwordKeys.ts'
import { signInWith, type SignInResult } from './signIn.ts'
import { createStore, type Store } from '../transport/store.ts'
import type { AccountState } from '../types.ts'
import { draftPrefix, outboxPrefix, duplicateTextsName, seenPrefix, storeMarkName } from '../device/storageNames.ts'

export interface Account {
  state: Store<AccountState>
  /**
   * Finds out who is signed in and loads the keys from this device. The state becomes open, locked (keys missing),
   * factorMissing or signedOut. A failed check throws and counts as signedOut. `known`: the user, if just loaded.
   */
  start(known?: User): Promise<void>
  /** Opens the account, or returns the step for the second factor. */
  signIn(options: { username: string; password: string }): Promise<SignInResult>
  signUp(options: SignUp): Promise<{ user: User; recoveryKey: string }>
  unlock(password: string): Promise<void>
  /** Opens the account that waited for a second factor, now that one is set up or no longer required. */
  resume(): Promise<void>
  /** Sets a new password with the recovery key, after the second factor if one is on; other sessions end. */
  resetPassword(options: { username: string; recoveryKey: string; newPassword: string }): Promise<SignInResult>
  /** Removes keys, outbox and drafts from this device, no matter whether the server can be reached. */
  signOut(): Promise<void>
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
  accountKey: AccountKey
  own: OwnIdentity
  keys: OwnKeys
}

export interface AccountDeps {
  call: Call
  clock: Clock
  device: Device
  logout: Logout
  whileOpening: RotationLock['whileOpening']
  passwords: PasswordDerivation
  /** Sets the clock by the server's time. */
  correctClock(): Promise<void>
  /** Called before the state becomes 'open'. */
  open(opened: OpenedAccount): Promise<void>
  /** Closes the session of an account that is no longer open. Resolves when it writes no message or draft any more. */
  close(): Promise<void>
  /** Notifies the other tabs that nobody is signed in any more. */
  notifyTabs(): void
  alarm: SecurityAlert
}

/** Calls for other parts of the client that change the account's state. */
export interface AccountInternals {
  /** `removeKeys`: removes the account key from this device; false if another tab does, or the session may go on. */
  close(options: { removeKeys: boolean }): Promise<void>
  /** The organization requires a second factor, and none is set up. */
  requireFactor(): Promise<void>
  /** The user's own data have changed. */
  setUser(user: User): void
  /** Removes all data of a deleted account from this device. */
  removeData(userId: string): Promise<void>
  /** Stores the account key that may soon replace the current one; undefined removes it. */
  setNextKey(next: AccountKey | undefined): Promise<void>
  promoteNextKey(): Promise<void>
  /** Opens the account again with its current keys. */
  reopen(): Promise<void>
  /** Whether this device holds the account key for these keys of the open account. */
  fits(keys: OwnKeys): Promise<boolean>
}

/** Loaded lazily: only creating, recovering or re-encrypting keys needs it. */
const loadNewKeys = () => import('./newKeys/lazyKeys.ts')

export function createAccount(deps: AccountDeps): Account & AccountInternals {
  const { call, clock, device, logout, passwords } = deps
  const state = createStore<AccountState>({ status: 'checking' })
  const keyStore = createKeyStore(device, clock)
  /** The opening that a missing second factor interrupted; undefined: `resume` opens by the key on this device. */
  let openAfterFactor: (() => Promise<void>) | undefined

  /** A new sign-in replaces the current session. */
  async function closeCurrent(): Promise<void> {
    if (state.get().status === 'open') await close({ removeKeys: true })
  }

  async function openWith(user: User, raw: Bytes, keys: OwnKeys): Promise<void> {
    await openKeys(user, { id: crypto.randomUUID(), userId: user.id, accountKey: await importAccountKey(raw) }, keys)
  }

  async function openOwn(accountKey: AccountKey, keys: OwnKeys): Promise<OwnIdentity> {
    try {
      return await openIdentity(accountKey, keys)
    } catch (cause) {
      const altered = new CallError('KEYS_ALTERED', { cause })
      deps.alarm(altered.code)
      throw altered
    }
  }

  async function openKeys(user: User, stored: StoredKey, response: OwnKeys): Promise<void> {
    const { accountKey } = stored
    const keys = { ...response, userId: user.id }
    const own = await openOwn(accountKey, keys)
    await deps.open({ user, accountKey, own, keys })
    await keyStore.set(stored)
    state.set({ status: 'open', user })
  }

  let reopening: Promise<void> | undefined

  async function openByPassword(user: User, wrapKey: CryptoKey): Promise<void> {
    const keys = await call(keysContract.getOwn, {})
    const wrap = { userId: user.id, purpose: 'password' } as const
    const raw = await unwrapAccountKey(wrapKey, keys.wrappedAccountKey, wrap).catch((error: unknown) => {
      throw error instanceof E2eeError ? new CallError('WRONG_PASSWORD', { cause: error }) : error
    })
    await openWith(user, raw, keys)
  }

  async function openByStoredKey(user: User): Promise<void> {
    const keys = await call(keysContract.getOwn, {})
    const stored = await keyStore.get()
    if (stored?.userId !== user.id) throw new CallError('NOT_SIGNED_IN')
    await openKeys(user, await keyStore.choose(stored, keys), keys)
  }

  /** Ends a session whose keys cannot be loaded. */
  async function openOrEnd(open: () => Promise<void>): Promise<void> {
    try {
      await open()
    } catch (error) {
      await call(contract.logout, {}).catch(() => {})
      await close({ removeKeys: true })
      throw error
    }
  }

  /** If a required second factor is missing, keeps the session, with which the user sets one up. */
  async function openOrAwaitFactor(user: User, open: () => Promise<void>): Promise<void> {
    try {
      await deps.whileOpening(open)
    } catch (error) {
      if (!isCallError(error, 'SECOND_FACTOR_MISSING')) throw error
      await awaitFactor(user, open)
    }
  }

  /** Keys, drafts and the outbox stay on the device. */
  async function awaitFactor(user: User, open?: () => Promise<void>): Promise<void> {
    openAfterFactor = open
    state.set({ status: 'factorMissing', user })
    await deps.close()
  }

  async function close({ removeKeys }: { removeKeys: boolean }): Promise<void> {
    openAfterFactor = undefined
    state.set({ status: 'signedOut' })
    const settled = deps.close()
    try {
      if (removeKeys) await keyStore.remove()
    } finally {
      await settled
    }
  }

  async function removeByPrefix(...prefixes: string[]): Promise<void> {
    const removeAll = async (prefix: string) => Promise.all((await device.names(prefix)).map(device.remove))
    await Promise.all(prefixes.map(removeAll))
  }

  /** Removes all that the user has written. The state that detects rollbacks stays for the next sign-in. */
  const removeUserData = (userId: string) =>
    removeByPrefix(outboxPrefix(userId), draftPrefix(userId), duplicateTextsName(userId), storeMarkName)

  async function start(known?: User): Promise<void> {
    try {
      if (await logout.settle()) return await close({ removeKeys: true })
      // Waits while another tab replaces the keys: that session gets another cookie.
      const user = known ?? (await deps.whileOpening(() => call(contract.getUser, {})))
      if ((await keyStore.get())?.userId === user.id) await openOrAwaitFactor(user, () => openByStoredKey(user))
      else {
        await deps.close()
        await keyStore.remove()
        state.set({ status: 'locked', user })
      }
    } catch (error) {
      const isVisitor = isCallError(error, 'NOT_SIGNED_IN')
      await close({ removeKeys: isVisitor })
      if (!isVisitor) throw error
    }
  }

  return {
    state,
    close,
    start,
    async requireFactor() {
      const before = state.get()
      if (before.status === 'open') await awaitFactor(before.user)
    },
    async resume() {
      const before = state.get()
      if (before.status !== 'factorMissing') return
      const open = openAfterFactor
      openAfterFactor = undefined
      if (open === undefined) await start(before.user)
      else await openOrAwaitFactor(before.user, open)
    },
    setUser(user) {
      if (state.get().status === 'open') state.set({ status: 'open', user })
    },
    async removeData(userId) {
      await close({ removeKeys: true })
      await removeUserData(userId)
      await removeByPrefix(seenPrefix(userId))
    },
    setNextKey: keyStore.setNext,
    promoteNextKey: keyStore.promoteNext,
    fits: keyStore.fits,
    // Concurrent calls share one reopening.
    reopen: () => (reopening ??= start().finally(() => (reopening = undefined))),
    async signIn({ username, password }) {
      const derived = await passwords.deriveAll(password, username)
      await logout.settle()
      await closeCurrent()
      return signInWith(
        call,
        () => call(contract.login, { body: { username, ...toCredentials(derived) } }),
        (user) => openOrEnd(() => openOrAwaitFactor(user, () => openByPassword(user, keysFor(derived, user).wrapKey))),
      )
    },
    async signUp({ password, ...profile }) {
      const { authKey, wrapKey, version } = await passwords.deriveNew(password, profile.username)
      // The first epoch is dated, and the device's clock may be wrong.
      await deps.correctClock()
      const { keys, raw, recoveryKey } = await (await loadNewKeys()).createSignUpKeys(wrapKey, clock.now())
      await logout.settle()
      await closeCurrent()
      const body = { ...profile, password: authKey, passwordVersion: version, keys }
      const registered = await call(contract.register, { body })
      // The key is just being shown here; a page loaded later gets the flag from the server.
      const user: User = { ...registered, recoveryKeyUnsaved: undefined }
      await openWith(user, raw, { ...keys, epochs: [keys.epoch] })
      return { user, recoveryKey }
    },
    async unlock(password) {
      const before = state.get()
      if (before.status !== 'locked') return
      const { wrapKey } = await passwords.derive(password, before.user)
      await openOrAwaitFactor(before.user, () => openByPassword(before.user, wrapKey))
    },
    async resetPassword({ newPassword, ...recovery }) {
      const { recoverPassword } = await loadNewKeys()
      const { raw, finish } = await recoverPassword(call, recovery, () =>
        passwords.deriveNew(newPassword, recovery.username),
      )
      await logout.settle()
      await closeCurrent()
      return signInWith(call, finish, (user) =>
        openOrAwaitFactor(user, async () => openWith(user, raw, await call(keysContract.getOwn, {}))),
      )
    },
    async signOut() {
      const before = state.get()
      const loggedOut = logout.end()
      loggedOut.catch(() => {})
      // Not after the server's response, because the other tabs would go on writing to the device until then.
      deps.notifyTabs()
      try {
        await close({ removeKeys: true })
      } finally {
        if ('user' in before) await removeUserData(before.user.id)
      }
      await loggedOut
    },
  }
}
