import type { OwnKeys } from '@privity/contract/keys'
import { session as contract, type SignedInUser, type User } from '@privity/contract/session'
import { type AccountKey, type Bytes, E2eeError, importAccountKey, unwrapAccountKey } from '@privity/e2ee'
import { CallError, isCallError } from '../transport/callError.ts'
import type { KeyStore, StoredKey } from './keyStore.ts'
import { openIdentity, type OwnIdentity } from '../keys/ownIdentity.ts'
import { loadOwnKeys } from '../keys/ownKeys.ts'
import { withoutSession } from './signIn.ts'
import type { WritableStore } from '../transport/store.ts'
import type { AccountState } from '../types.ts'
import type { AccountDeps } from './types.ts'

/** Opens the account of this tab by a key, and locks or closes it; each call sets the state. */
export function createLifecycle(deps: AccountDeps, state: WritableStore<AccountState>, keyStore: KeyStore) {
  const { call, device, sharedComputer } = deps
  /** The opening that a missing second factor interrupted; undefined: `resume` opens by the key on this device. */
  let openAfterFactor: (() => Promise<void>) | undefined
  /** How often this browser was locked: an opening that was under way at that time ends locked. */
  let locks = 0

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
    try {
      if (stored?.isCurrent !== true) await keyStore.set({ id: stored?.id, userId: user.id, session, raw })
    } catch (error) {
      await deps.close()
      throw error
    }
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

  return {
    openWith,
    openByPassword,
    openByStoredKey,
    openOrEnd,
    openOrAwaitFactor,
    awaitPassword,
    async requireFactor() {
      const before = state.get()
      if (before.status === 'open') await awaitFactor(before.user)
    },
    /** Returns the opening that a missing second factor interrupted, once. */
    takeInterrupted() {
      const open = openAfterFactor
      openAfterFactor = undefined
      return open
    },
    lock,
    removeLockedKey,
    close,
  }
}
