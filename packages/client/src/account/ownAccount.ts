import { account as contract } from '@privity/contract/account'
import type { Result } from '@privity/contract/endpoint'
import { keys as keysContract, type OwnKeys } from '@privity/contract/keys'
import type { SecondFactorProof } from '@privity/contract/secondFactor'
import { session as sessionContract, type SignedInSession, type User } from '@privity/contract/session'
import {
  type Bytes,
  E2eeError,
  importAccountKey,
  normalizePassword,
  unwrapAccountKey,
  wrapAccountKey,
} from '@privity/e2ee'
import { createRecoveryKey, deriveRecovery } from '@privity/e2ee/recoveryKey'
import type { Call } from '../transport/call.ts'
import { type Alarm, CallError, isCallError, isPassing } from '../transport/callError.ts'
import type { Changing } from './newKeys/rotateKeys.ts'
import type { ServerClock } from '../transport/serverClock.ts'
import type { Device } from '../device/device.ts'
import type { PasswordDerivation, PasswordKeys } from '../keys/passwordKeys.ts'
import type { Removal } from './deletion.ts'
import type { Store } from '../transport/store.ts'
import type { AccountState } from '../types.ts'

/** For others who change keys or pins at the same moment. */
const attempts = 6

export type Overview = Result<typeof contract.overview>

/**
 * A recovery key that works once `activate` has succeeded; until then the old one does. STALE_VERSION: the keys were
 * replaced since, so it would open nothing.
 */
export interface PreparedRecoveryKey {
  recoveryKey: string
  /** With the second factor where one is on; refused, it may be tried again. */
  activate(proof?: SecondFactorProof): Promise<void>
}

/**
 * What a member does to his own account. A password that is not right is WRONG_PASSWORD, and counts as a failed
 * sign-in. Password, recovery key and deletion take the second factor too where one is on: SECOND_FACTOR_REQUIRED
 * without it, SECOND_FACTOR_WRONG or PASSKEY_REFUSED where it is not right.
 */
export interface OwnAccount {
  overview(): Promise<Overview>
  /** PASSWORD_NEEDED for another email address without `confirmation`. */
  updateProfile(
    profile: { firstName: string; lastName: string; email: string },
    confirmation?: { password: string } & SecondFactorProof,
  ): Promise<User>
  /** Wraps the account key under the new password; every other session ends. A lost answer is found out about. */
  changePassword(options: { currentPassword: string; newPassword: string } & SecondFactorProof): Promise<void>
  /**
   * A new password with a new account key, identity, epoch and recovery key, for when somebody else may have the old
   * ones; PASSWORD_UNCHANGED where it is the old password. `activate` puts all of them in place at once; every other session ends.
   */
  prepareNewKeys(options: { currentPassword: string; newPassword: string }): Promise<PreparedRecoveryKey>
  prepareRecoveryKey(password: string): Promise<PreparedRecoveryKey>
  /** The recovery key shown at sign-up is saved. */
  confirmRecoveryKey(): Promise<void>
  /** Newest first. */
  sessions(): Promise<SignedInSession[]>
  endSession(id: string): Promise<void>
  /** How many there were. */
  endOtherSessions(): Promise<number>
  /** Deletes the account and all that this device keeps of it. */
  remove(confirmation: { username: string; password: string } & SecondFactorProof): Promise<void>
}

export function createOwnAccount(deps: {
  call: Call
  passwords: PasswordDerivation
  state: Store<AccountState>
  clock: ServerClock
  device: Device
  changed(user: User): void
  removal: Removal
  changing: Changing
  alarm: Alarm
}): OwnAccount {
  const { call, state, removal } = deps

  /** Throws while nobody's keys are open. */
  function user(): User {
    const now = state.get()
    if (now.status === 'open') return now.user
    throw new CallError('NOT_SIGNED_IN')
  }

  const derive = (password: string) => deps.passwords.derive(password, user())
  const deriveNew = (password: string) => deps.passwords.deriveNew(password, user().username)

  /** The raw account key. The server decides whether a password that does not open it is wrong, and counts it. */
  async function openAccountKey({ authKey, wrapKey }: PasswordKeys, { wrappedAccountKey }: OwnKeys): Promise<Bytes> {
    const wrap = { userId: user().id, purpose: 'password' } as const
    return unwrapAccountKey(wrapKey, wrappedAccountKey, wrap).catch(async (cause: unknown) => {
      if (!(cause instanceof E2eeError)) throw cause
      await call(contract.provePassword, { body: { password: authKey } })
      const altered = new CallError('KEYS_ALTERED', { cause })
      deps.alarm(altered.code)
      throw altered
    })
  }

  async function proveAndOpen(signIn: PasswordKeys): Promise<{ raw: Bytes; identityKey: string }> {
    await call(contract.provePassword, { body: { password: signIn.authKey } })
    const keys = await call(keysContract.getOwn, {})
    return { raw: await openAccountKey(signIn, keys), identityKey: keys.identityKey }
  }

  /** Whether this password is in force already: the answer to an earlier change was lost. Nothing is counted. */
  const opens = ({ wrapKey }: PasswordKeys, { wrappedAccountKey }: OwnKeys): Promise<boolean> =>
    unwrapAccountKey(wrapKey, wrappedAccountKey, { userId: user().id, purpose: 'password' }).then(
      () => true,
      () => false,
    )

  /** Wraps the account key there is now under the new password. */
  async function rewrap(before: PasswordKeys, after: PasswordKeys, given: SecondFactorProof): Promise<void> {
    const keys = await call(keysContract.getOwn, {})
    const isBefore = await opens(before, keys)
    if (!isBefore && (await opens(after, keys))) {
      await call(contract.provePassword, { body: { password: after.authKey } })
      return void (await call(sessionContract.endOtherSessions, {}))
    }
    const raw = await openAccountKey(before, keys)
    const wrappedAccountKey = await wrapAccountKey(after.wrapKey, raw, { userId: user().id, purpose: 'password' })
    const { identityKey } = keys
    const passwords = { currentPassword: before.authKey, newPassword: after.authKey, passwordVersion: after.version }
    await call(contract.changePassword, { body: { ...passwords, wrappedAccountKey, identityKey, ...given } }).catch(
      async (error: unknown) => {
        if (!isPassing(error)) throw error
        const now = await call(keysContract.getOwn, {}).catch(() => undefined)
        if (now?.wrappedAccountKey !== wrappedAccountKey) throw error
      },
    )
  }

  /** A recovery key for this account key, and what the server is to have of it. */
  async function newRecovery(raw: Bytes) {
    const { text: recoveryKey } = createRecoveryKey()
    const { proof: recoveryProof, wrapKey } = await deriveRecovery(recoveryKey)
    const wrap = { userId: user().id, purpose: 'recovery' } as const
    const recoveryWrappedAccountKey = await wrapAccountKey(wrapKey, raw, wrap)
    return { recoveryKey, recovery: { recoveryProof, recoveryWrappedAccountKey } }
  }

  /** A key that was saved before it came into force has taken the place of the one that may not have been. */
  function settled(): void {
    const now = state.get()
    if (now.status === 'open') deps.changed({ ...now.user, recoveryKeyUnsaved: undefined })
  }

  return {
    overview: () => call(contract.overview, {}),
    async updateProfile(profile, confirmation) {
      const confirming = confirmation && { ...confirmation, password: (await derive(confirmation.password)).authKey }
      const saved = await call(contract.updateProfile, { body: { ...profile, ...confirming } })
      deps.changed(saved)
      return saved
    },
    async changePassword({ currentPassword, newPassword, ...proof }) {
      const [before, after] = [await derive(currentPassword), await deriveNew(newPassword)]
      await rewrap(before, after, proof)
      deps.changed({ ...user(), passwordVersion: after.version })
    },
    async prepareNewKeys({ currentPassword, newPassword }) {
      const { id: userId } = user()
      const { createFreshKeys, makeReplacement } = await import('./newKeys/lazyKeys.ts')
      if (normalizePassword(currentPassword) === normalizePassword(newPassword))
        throw new CallError('PASSWORD_UNCHANGED')
      const [old, next] = [await derive(currentPassword), await deriveNew(newPassword)]
      const { raw, identityKey } = await proveAndOpen(old)
      const before = { raw, accountKey: await importAccountKey(raw) }
      const fresh = await createFreshKeys()
      const wrappedAccountKey = await wrapAccountKey(next.wrapKey, fresh.raw, { userId, purpose: 'password' })
      const { recoveryKey, recovery } = await newRecovery(fresh.raw)
      const verifiers = { currentPassword: old.authKey, newPassword: next.authKey, passwordVersion: next.version }
      const passwords = { ...verifiers, wrappedAccountKey }

      async function replace(given: SecondFactorProof | undefined): Promise<void> {
        for (let attempt = 1; ; attempt++) {
          const keys = await call(keysContract.getOwn, {})
          // Done already, though the answer was lost.
          if (keys.identityKey === fresh.identity.publicKey) return
          // Another tab or browser has replaced them since these were prepared.
          if (keys.identityKey !== identityKey) throw new CallError('STALE_VERSION')
          // The epoch is dated: the server's clock may have been set since it was asked.
          await deps.clock.correct()
          const now = deps.clock.now()
          const replacement = await makeReplacement({ before, fresh, recovery, keys, device: deps.device, now })
          try {
            return void (await call(contract.changePassword, { body: { ...passwords, replacement, ...given } }))
          } catch (error) {
            // Another browser has just published an epoch or accepted a key.
            if (!isCallError(error, 'EPOCH_CONFLICT', 'STALE_VERSION') || attempt === attempts) throw error
          }
        }
      }

      const areInPlace = () =>
        call(keysContract.getOwn, {}).then(
          ({ identityKey }) => identityKey === fresh.identity.publicKey,
          () => false,
        )
      const nextKeys = { accountKey: fresh.accountKey, areInPlace }
      return {
        recoveryKey,
        async activate(given) {
          await deps.changing.run(userId, nextKeys, () => replace(given))
          settled()
        },
      }
    },
    async prepareRecoveryKey(password) {
      const signIn = await derive(password)
      const { raw, identityKey } = await proveAndOpen(signIn)
      const { recoveryKey, recovery } = await newRecovery(raw)
      const body = { password: signIn.authKey, identityKey, ...recovery }
      return {
        recoveryKey,
        async activate(given) {
          await call(contract.renewRecoveryKey, { body: { ...body, ...given } })
          settled()
        },
      }
    },
    confirmRecoveryKey: async () => void (await call(contract.confirmRecoveryKey, {})),
    sessions: () => call(sessionContract.listSessions, {}),
    async endSession(id) {
      await call(sessionContract.endSession, { params: { id } }).catch((error: unknown) => {
        // It ended by itself meanwhile.
        if (!isCallError(error, 'NOT_FOUND')) throw error
      })
    },
    endOtherSessions: async () => (await call(sessionContract.endOtherSessions, {})).ended,
    async remove({ username, password, ...proof }) {
      const { authKey } = await derive(password)
      const body = { username, password: authKey, ...proof }
      await removal.run(user().id, async () => void (await call(contract.remove, { body })))
    },
  }
}
