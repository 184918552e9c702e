import { session as contract, type SignedInUser } from '@privity/contract/session'
import { isCallError } from '../transport/callError.ts'
import { createKeyStore } from './keyStore.ts'
import { loadOwnKeys } from '../keys/ownKeys.ts'
import { keysFor, toCredentials } from '../keys/passwordKeys.ts'
import { createLifecycle } from './lifecycle.ts'
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
  const lifecycle = createLifecycle(deps, state, keyStore)
  const { close, openOrAwaitFactor } = lifecycle
  let reopening: Promise<void> | undefined

  /** A new sign-in replaces the current session. */
  async function closeCurrent(): Promise<void> {
    if (state.get().status === 'open') await close({ removeKeys: true })
  }

  /** Ends the session and removes `remove`'s part of what the browser has stored of the user. */
  async function endSession(userId: string | undefined, remove = removeUserData): Promise<void> {
    const loggedOut = logout.end(userId)
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
      if (isLockDue) await lifecycle.removeLockedKey(signedIn.id)
      if (await keyStore.holds(signedIn.id))
        await openOrAwaitFactor(signedIn, () => lifecycle.openByStoredKey(signedIn, keys))
      else await lifecycle.awaitPassword(signedIn)
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
    requireFactor: lifecycle.requireFactor,
    async resume() {
      const before = state.get()
      if (before.status !== 'factorMissing') return
      const open = lifecycle.takeInterrupted()
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
        (user) =>
          lifecycle.openOrEnd(() =>
            openOrAwaitFactor(user, () => lifecycle.openByPassword(user, keysFor(derived, user).wrapKey)),
          ),
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
      await lifecycle.openWith(signedIn, raw, toOwnKeys(keys), { isNew: true })
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
        await lifecycle.openByPassword(signedIn, wrapKey)
      })
    },
    async lock() {
      const before = state.get()
      if ('user' in before) await lifecycle.lock(before.user.id, () => lifecycle.removeLockedKey(before.user.id))
    },
    followLock: (userId) => lifecycle.lock(userId, keyStore.removeKnown),
    async resetPassword({ newPassword, sharedComputer: isShared = false, ...recovery }) {
      const { recoverPassword } = await loadNewKeys()
      const { raw, finish } = await recoverPassword(call, { ...recovery, sharedComputer: isShared }, () =>
        passwords.deriveNew(newPassword, recovery.username),
      )
      await logout.settle()
      await closeCurrent()
      const open = (user: SignedInUser) =>
        openOrAwaitFactor(user, async () => {
          sharedComputer.begin(user)
          const keys = await loadOwnKeys(deps, user.id)
          await lifecycle.openWith(user, raw, keys)
          // Otherwise the user would be asked for the same recovery key again, as they are if this fails.
          const isApproved = !keys.browsers.mode.onlyApproved || keys.browsers.isApproved
          if (!isApproved) await deps.approveBrowser(recovery.recoveryKey).catch(() => {})
        })
      return signInWith(call, finish, open, isShared)
    },
    async signOut() {
      const before = state.get()
      const remove = device.isTransient() ? removeUserData : removeWritten
      await endSession('user' in before ? before.user.id : undefined, remove)
    },
  }
}
