import type { OwnKeys } from '@privity/contract/keys'
import { session as contract, type SignedInUser, type User } from '@privity/contract/session'
import { type AccountKey, type Bytes, E2eeError, importAccountKey, unwrapAccountKey } from '@privity/e2ee'
import { CallError, isCallError } from '../transport/callError.ts'
import { createKeyStore, type StoredKey } from './keyStore.ts'
import { openIdentity, type OwnIdentity } from '../keys/ownIdentity.ts'
import { loadOwnKeys } from '../keys/ownKeys.ts'
import { keysFor, toCredentials } from '../keys/passwordKeys.ts'
import { signInWith, withoutSession } from './signIn.ts'
import { createStarts } from './starts.ts'
import { createStore } from '../transport/store.ts'
import type { AccountState } from '../types.ts'
import type { Account, AccountDeps, AccountInternals } from './types.ts'
import { removeUserData, removeWritten } from '../device/userData.ts'

/** Loaded lazily: only creating, recovering or re-encrypting keys needs it. */
const loadNewKeys = () => import('./newKeys/lazyKeys.ts')

export function createAccount(deps: AccountDeps): Account & AccountInternals {
  const { call, clock, device, logout, passwords, sharedComputer } = deps
  const state = createStore<AccountState>({ status: 'checking' })
  const keyStore = createKeyStore(device, clock)
  /** The opening that a missing second factor interrupted; undefined: `resume` opens by the key on this device. */
  let openAfterFactor: (() => Promise<void>) | undefined
  /** How often this browser was locked: an opening that was under way at that time ends locked. */
  let locks = 0
  let reopening: Promise<void> | undefined

  /** A new sign-in replaces the current session. */
  async function closeCurrent(): Promise<void> {
    if (state.get().status === 'open') await close({ removeKeys: true })
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

  /** `stored`: the key as this device holds it; undefined for one that it gets now. */
  async function openWith(
    signedIn: SignedInUser,
    raw: Bytes,
    response: OwnKeys,
    { stored, isNew = false, locksBefore = locks }: { stored?: StoredKey; isNew?: boolean; locksBefore?: number } = {},
  ): Promise<void> {
    const { session } = signedIn
    const user = withoutSession(signedIn)
    const accountKey = await importAccountKey(raw)
    const keys = { ...response, userId: user.id }
    const own = await openOwn(accountKey, keys)
    await deps.open({ user, session, accountKey, own, keys, isNew })
    if (stored?.isCurrent !== true) await keyStore.set({ id: stored?.id, userId: user.id, session, raw })
    if (locks === locksBefore) state.set({ status: 'open', user })
    else await closeLocked(user, keyStore.removeKnown)
  }

  async function openByPassword(signedIn: SignedInUser, wrapKey: CryptoKey): Promise<void> {
    sharedComputer.begin(signedIn)
    const keys = await loadOwnKeys(deps, signedIn.id)
    const wrap = { userId: signedIn.id, purpose: 'password' } as const
    const raw = await unwrapAccountKey(wrapKey, keys.wrappedAccountKey, wrap).catch((error: unknown) => {
      throw error instanceof E2eeError ? new CallError('WRONG_PASSWORD', { cause: error }) : error
    })
    await openWith(signedIn, raw, keys)
  }

  /** Asks for the session again if its share does not open the key: another tab may have replaced both meanwhile. */
  async function openStoredKey(signedIn: SignedInUser): Promise<{ signedIn: SignedInUser; stored?: StoredKey }> {
    const stored = await keyStore.open(signedIn)
    if (stored) return { signedIn, stored }
    const now = await call(contract.getUser, {})
    if (now.id !== signedIn.id) throw new CallError('NOT_SIGNED_IN')
    const found = await keyStore.open(now)
    return { signedIn: now, ...(found && { stored: found }) }
  }

  async function openByStoredKey(before: SignedInUser, handedOver?: OwnKeys): Promise<void> {
    const keys = await loadOwnKeys(deps, before.id, handedOver)
    const locksBefore = locks
    const { signedIn, stored } = await openStoredKey(before)
    if (stored) await openWith(signedIn, stored.raw, keys, { stored, locksBefore })
    else await awaitPassword(signedIn)
  }

  /** A stored key that does not open stays: another tab that is just signing in may have stored it. */
  async function awaitPassword(signedIn: SignedInUser): Promise<void> {
    await deps.close()
    if (!(await keyStore.holds(signedIn.id))) await keyStore.remove()
    state.set({ status: 'locked', user: withoutSession(signedIn) })
  }

  /** Keeps the session, the outbox and the drafts, but no key. */
  async function closeLocked(user: User, removeKey: () => Promise<void>): Promise<void> {
    openAfterFactor = undefined
    state.set({ status: 'locked', user })
    const settled = deps.close()
    try {
      await removeKey()
    } finally {
      await settled
    }
  }

  async function removeLockedKey(userId: string): Promise<void> {
    try {
      await keyStore.remove()
    } finally {
      // Only now: a tab that is opened after the notice finds no key.
      deps.notifyTabs({ type: 'locked', userId })
    }
  }

  /** Locks this tab; `removeKey` removes the account key from the device. */
  async function lock(userId: string, removeKey: () => Promise<void>): Promise<void> {
    locks += 1
    const before = state.get()
    if (!('user' in before) || before.status === 'locked') return
    if (before.user.id === userId) await closeLocked(before.user, removeKey)
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
      await awaitFactor(withoutSession(user), open)
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
    const forget = device.leave()
    const settled = deps.close()
    try {
      if (removeKeys) await keyStore.remove()
    } finally {
      await settled
      forget()
    }
  }

  /** Ends the session and removes `remove`'s part of what the browser has stored of the user. */
  async function endSession(userId: string | undefined, remove = removeUserData): Promise<void> {
    const loggedOut = logout.end()
    loggedOut.catch(() => {})
    // Not after the server's response, because the other tabs would go on writing to the device until then.
    deps.notifyTabs({ type: 'signed_out' })
    try {
      await close({ removeKeys: true })
    } finally {
      if (userId !== undefined) await remove(device, userId)
    }
    await loggedOut
  }

  // Waits while another tab replaces the keys: that session gets another cookie.
  const getUser = () => deps.whileOpening(() => call(contract.getUser, {}))

  const open: Account['start'] = async (known, { isLockDue = false, keys } = {}) => {
    try {
      if (await logout.settle()) return await close({ removeKeys: true })
      const signedIn = known && 'session' in known ? known : await getUser()
      if (await sharedComputer.isLeft(signedIn)) return await endSession(signedIn.id)
      sharedComputer.begin(signedIn)
      if (isLockDue) await removeLockedKey(signedIn.id)
      if (await keyStore.holds(signedIn.id)) await openOrAwaitFactor(signedIn, () => openByStoredKey(signedIn, keys))
      else await awaitPassword(signedIn)
    } catch (error) {
      const isVisitor = isCallError(error, 'NOT_SIGNED_IN')
      await close({ removeKeys: isVisitor })
      if (!isVisitor) throw error
    }
  }

  const { start, followSignIn } = createStarts({ state, open, getUser, close })

  return {
    state,
    isTransient: device.isTransient,
    close,
    start,
    followSignIn,
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
      await removeUserData(device, userId)
    },
    setNextKey: keyStore.setNext,
    promoteNextKey: keyStore.promoteNext,
    fits: async (keys) => keyStore.fits(await call(contract.getUser, {}), keys),
    // Concurrent calls share one reopening.
    reopen: () => (reopening ??= start().finally(() => (reopening = undefined))),
    async signIn({ username, password, sharedComputer: isShared = false }) {
      const derived = await passwords.deriveAll(password, username)
      await logout.settle()
      await closeCurrent()
      return signInWith(
        call,
        () => call(contract.login, { body: { username, ...toCredentials(derived), sharedComputer: isShared } }),
        (user) => openOrEnd(() => openOrAwaitFactor(user, () => openByPassword(user, keysFor(derived, user).wrapKey))),
        isShared,
      )
    },
    async signUp({ password, ...profile }) {
      const { authKey, wrapKey, version } = await passwords.deriveNew(password, profile.username)
      // The first epoch is dated, and the device's clock may be wrong.
      await deps.correctClock()
      const { createSignUpKeys, toOwnKeys } = await loadNewKeys()
      const { keys, raw, recoveryKey } = await createSignUpKeys(wrapKey, clock.now())
      await logout.settle()
      await closeCurrent()
      const body = { ...profile, password: authKey, passwordVersion: version, keys }
      const registered = await call(contract.register, { body })
      // The key is just being shown here; a page loaded later gets the flag from the server.
      const signedIn: SignedInUser = { ...registered, recoveryKeyUnsaved: undefined }
      await openWith(signedIn, raw, toOwnKeys(keys), { isNew: true })
      return { user: withoutSession(signedIn), recoveryKey }
    },
    async unlock(password) {
      const before = state.get()
      if (before.status !== 'locked') return
      const { authKey, wrapKey } = await passwords.derive(password, before.user)
      const signedIn = await call(contract.getUser, {})
      if (signedIn.id !== before.user.id) return start(signedIn)
      await openOrAwaitFactor(signedIn, async () => {
        // The wrapped key would show as well whether the password is right, but the server would not count it.
        const { account } = await import('@privity/contract/account')
        await call(account.provePassword, { body: { password: authKey } })
        await openByPassword(signedIn, wrapKey)
      })
    },
    async lock() {
      const before = state.get()
      if ('user' in before) await lock(before.user.id, () => removeLockedKey(before.user.id))
    },
    followLock: (userId) => lock(userId, keyStore.removeKnown),
    async resetPassword({ newPassword, ...recovery }) {
      const { recoverPassword } = await loadNewKeys()
      const { raw, finish } = await recoverPassword(call, recovery, () =>
        passwords.deriveNew(newPassword, recovery.username),
      )
      await logout.settle()
      await closeCurrent()
      return signInWith(call, finish, (user) =>
        openOrAwaitFactor(user, async () => {
          sharedComputer.begin(user)
          const keys = await loadOwnKeys(deps, user.id)
          await openWith(user, raw, keys)
          // Otherwise the user would be asked for the same recovery key again, as they are if this fails.
          const isApproved = !keys.browsers.mode.onlyApproved || keys.browsers.isApproved
          if (!isApproved) await deps.approveBrowser(recovery.recoveryKey).catch(() => {})
        }),
      )
    },
    async signOut() {
      const before = state.get()
      const remove = device.isTransient() ? removeUserData : removeWritten
      await endSession('user' in before ? before.user.id : undefined, remove)
    },
  }
}
