import { keys as keysContract, type OwnKeys } from '@privity/contract/keys'
import { session as contract, type User } from '@privity/contract/session'
import { type AccountKey, type Bytes, E2eeError, importAccountKey, unwrapAccountKey } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { type Alarm, CallError, isCallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'
import type { Ending } from './logout.ts'
import { createKeptKeys, type Kept } from './keyStore.ts'
import type { KeysLock } from './newKeys/rotationLock.ts'
import { openIdentity, type OwnIdentity } from '../keys/ownIdentity.ts'
import { keysFor, type PasswordDerivation, toCredentials } from '../keys/passwordKeys.ts'
import { signInWith, type SignInResult } from './signIn.ts'
import { createStore, type Store } from '../transport/store.ts'
import type { AccountState } from '../types.ts'
import { draftPrefix, outboxPrefix, repetitionName, seenPrefix, storeMarkName } from '../device/storageNames.ts'

export interface Account {
  state: Store<AccountState>
  /**
   * Asks who is signed in and takes the keys from this device: open, locked (they are missing) or signedOut. A
   * failed check is signedOut too, and throws. `known`: who it is, where the caller has just asked.
   */
  start(known?: User): Promise<void>
  /** Opens the account, or says that a second factor is needed first. */
  signIn(options: { username: string; password: string }): Promise<SignInResult>
  signUp(options: SignUp): Promise<{ user: User; recoveryKey: string }>
  unlock(password: string): Promise<void>
  /** Opens what waited for a second factor, now that there is one, or that the organization requires none any more. */
  resume(): Promise<void>
  /** A new password by the recovery key; every other session ends. Where a second factor is on, nothing is changed before it. */
  resetPassword(options: { username: string; recoveryKey: string; newPassword: string }): Promise<SignInResult>
  /** Erases keys, outbox and drafts of this device, whatever the server answers. */
  signOut(): Promise<void>
}

export interface SignUp {
  firstName: string
  lastName: string
  email: string
  username: string
  password: string
  invitation?: string | undefined
  /** The recovery key is shown only now: until `ownAccount.confirmRecoveryKey` the account says that it may not be saved. */
  recoveryKeyUnsaved?: boolean | undefined
}

/** A user with his keys, as a session opens with them. */
export interface Opened {
  user: User
  accountKey: AccountKey
  own: OwnIdentity
  keys: OwnKeys
}

export interface AccountDeps {
  call: Call
  clock: Clock
  device: Device
  ending: Ending
  whileOpening: KeysLock['whileOpening']
  passwords: PasswordDerivation
  /** Sets the clock by the server's. */
  correctClock(): Promise<void>
  /** Called before the state becomes 'open'. */
  open(opened: Opened): Promise<void>
  /** Called once the state is 'signedOut'. Resolves when nothing more is written to the device. */
  close(): Promise<void>
  /** Tells the other tabs that nobody is signed in any more. */
  tellTabs(): void
  alarm: Alarm
}

/** For what else happens to an account than being signed in to. */
export interface AccountInside {
  /** `erase`: no other tab does it. */
  ended(erase: boolean): Promise<void>
  /** The organization requires a second factor from now on, and there is none. */
  factorMissing(): Promise<void>
  /** The user's own data are others now. */
  changed(user: User): void
  /** Nothing of a deleted account stays on this device. */
  removed(userId: string): Promise<void>
  /** This account key may be the one of the open account from now on, until it is taken; undefined: it is not. */
  expectKey(next: AccountKey | undefined): Promise<void>
  takeExpectedKey(): Promise<void>
  /** Opens again what is open, with the keys there are now. */
  reopen(): Promise<void>
  /** Whether this device has the account key that fits these keys of the open account. */
  fits(keys: OwnKeys): Promise<boolean>
}

/** What most starts go without. */
const making = () => import('./newKeys/lazyKeys.ts')

export function createAccount(deps: AccountDeps): Account & AccountInside {
  const { call, clock, device, ending, passwords } = deps
  const state = createStore<AccountState>({ status: 'checking' })
  const kept = createKeptKeys(device, clock)
  /** What opens the account once it has its second factor; where there is nothing, the keys of this device do. */
  let waiting: (() => Promise<void>) | undefined

  /** Who signs in here takes the place of who was signed in. */
  async function replace(): Promise<void> {
    if (state.get().status === 'open') await ended(true)
  }

  async function openWith(user: User, raw: Bytes, keys: OwnKeys): Promise<void> {
    await enter(user, { id: crypto.randomUUID(), userId: user.id, accountKey: await importAccountKey(raw) }, keys)
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

  async function enter(user: User, by: Kept, given: OwnKeys): Promise<void> {
    const { accountKey } = by
    const keys = { ...given, userId: user.id }
    const own = await openOwn(accountKey, keys)
    await deps.open({ user, accountKey, own, keys })
    await kept.set(by)
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

  async function openByKept(user: User): Promise<void> {
    const keys = await call(keysContract.getOwn, {})
    const found = await kept.get()
    if (found?.userId !== user.id) throw new CallError('NOT_SIGNED_IN')
    await enter(user, await kept.choose(found, keys), keys)
  }

  /** A session that is good for nothing here, because its keys cannot be had, does not stay open. */
  async function openOrEnd(open: () => Promise<void>): Promise<void> {
    try {
      await open()
    } catch (error) {
      await call(contract.logout, {}).catch(() => {})
      await ended(true)
      throw error
    }
  }

  /** A session that must have a second factor first stays: it is what one is set up with. */
  async function openOrWait(user: User, open: () => Promise<void>): Promise<void> {
    try {
      await deps.whileOpening(open)
    } catch (error) {
      if (!isCallError(error, 'SECOND_FACTOR_MISSING')) throw error
      await wait(user, open)
    }
  }

  /** Keys, drafts and what waits to be sent stay where they are. */
  async function wait(user: User, open?: () => Promise<void>): Promise<void> {
    waiting = open
    state.set({ status: 'factorMissing', user })
    await deps.close()
  }

  async function ended(erase: boolean): Promise<void> {
    waiting = undefined
    state.set({ status: 'signedOut' })
    const settled = deps.close()
    try {
      if (erase) await kept.remove()
    } finally {
      await settled
    }
  }

  async function erase(...prefixes: string[]): Promise<void> {
    const removeAll = async (prefix: string) => Promise.all((await device.names(prefix)).map(device.remove))
    await Promise.all(prefixes.map(removeAll))
  }

  /** What waits to be sent goes too: signing out leaves nothing of one's own on a device. */
  const eraseAll = (userId: string) =>
    erase(outboxPrefix(userId), draftPrefix(userId), repetitionName(userId), storeMarkName)

  async function start(known?: User): Promise<void> {
    try {
      if (await ending.settle()) return await ended(true)
      // Refused while another tab replaces the keys: their session has another cookie.
      const user = known ?? (await deps.whileOpening(() => call(contract.getUser, {})))
      if ((await kept.get())?.userId === user.id) await openOrWait(user, () => openByKept(user))
      else {
        await deps.close()
        await kept.remove()
        state.set({ status: 'locked', user })
      }
    } catch (error) {
      const isVisitor = isCallError(error, 'NOT_SIGNED_IN')
      await ended(isVisitor)
      if (!isVisitor) throw error
    }
  }

  return {
    state,
    ended,
    start,
    async factorMissing() {
      const before = state.get()
      if (before.status === 'open') await wait(before.user)
    },
    async resume() {
      const before = state.get()
      if (before.status !== 'factorMissing') return
      const open = waiting
      waiting = undefined
      if (open === undefined) await start(before.user)
      else await openOrWait(before.user, open)
    },
    changed(user) {
      if (state.get().status === 'open') state.set({ status: 'open', user })
    },
    async removed(userId) {
      await ended(true)
      await eraseAll(userId)
      await erase(seenPrefix(userId))
    },
    expectKey: kept.expect,
    takeExpectedKey: kept.takeExpected,
    fits: kept.fits,
    // Two who find out at the same time open it once.
    reopen: () => (reopening ??= start().finally(() => (reopening = undefined))),
    async signIn({ username, password }) {
      const derived = await passwords.deriveAll(password, username)
      await ending.settle()
      await replace()
      return signInWith(
        call,
        () => call(contract.login, { body: { username, ...toCredentials(derived) } }),
        (user) => openOrEnd(() => openOrWait(user, () => openByPassword(user, keysFor(derived, user).wrapKey))),
      )
    },
    async signUp({ password, ...person }) {
      const { authKey, wrapKey, version } = await passwords.deriveNew(password, person.username)
      // The first epoch is dated: a device's clock may be wrong.
      await deps.correctClock()
      const { keys, raw, recoveryKey } = await (await making()).createNewKeys(wrapKey, clock.now())
      await ending.settle()
      await replace()
      const body = { ...person, password: authKey, passwordVersion: version, keys }
      const made = await call(contract.register, { body })
      // Here it is just being shown. A page that is loaded later hears of it from the server.
      const user: User = { ...made, recoveryKeyUnsaved: undefined }
      await openWith(user, raw, { ...keys, epochs: [keys.epoch] })
      return { user, recoveryKey }
    },
    async unlock(password) {
      const before = state.get()
      if (before.status !== 'locked') return
      const { wrapKey } = await passwords.derive(password, before.user)
      await openOrWait(before.user, () => openByPassword(before.user, wrapKey))
    },
    async resetPassword({ newPassword, ...given }) {
      const { recoverPassword } = await making()
      const { raw, finish } = await recoverPassword(call, given, () => passwords.deriveNew(newPassword, given.username))
      await ending.settle()
      await replace()
      return signInWith(call, finish, (user) =>
        openOrWait(user, async () => openWith(user, raw, await call(keysContract.getOwn, {}))),
      )
    },
    async signOut() {
      const before = state.get()
      const loggedOut = ending.end()
      loggedOut.catch(() => {})
      // Before the server has answered, which may take long: what they kept meanwhile would stay.
      deps.tellTabs()
      try {
        await ended(true)
      } finally {
        if ('user' in before) await eraseAll(before.user.id)
      }
      await loggedOut
    },
  }
}
