import { account as contract } from '@privity/contract/account'
import type { RecoveryPair, SealedSeed } from '@privity/contract/browserKeys'
import type { Result } from '@privity/contract/endpoint'
import type { OwnKeys } from '@privity/contract/keys'
import type { SecondFactorProof } from '@privity/contract/secondFactor'
import { session as sessionContract, type SignedInSession, type User } from '@privity/contract/session'
import {
  type Bytes,
  createKeyShare,
  E2eeError,
  type Identity,
  importAccountKey,
  normalizePassword,
  unwrapAccountKey,
  wrapAccountKey,
} from '@privity/e2ee'
import { createRecoveryPair } from '@privity/e2ee/browserEntry'
import { createRecoveryKey, deriveRecovery, deriveRecoverySeed } from '@privity/e2ee/recoveryKey'
import type { Call } from '../transport/call.ts'
import { type SecurityAlert, CallError, isCallError, isRetryable } from '../transport/callError.ts'
import type { KeyRotation } from './newKeys/rotateKeys.ts'
import type { ServerClock } from '../transport/serverClock.ts'
import type { Device } from '../device/device.ts'
import type { Tabs } from '../device/tabs.ts'
import { openIdentity } from '../keys/ownIdentity.ts'
import { loadOwnKeys } from '../keys/ownKeys.ts'
import type { PasswordDerivation, PasswordKeys } from '../keys/passwordKeys.ts'
import type { Deletion } from './deletion.ts'
import type { Store } from '../transport/store.ts'
import type { AccountState } from '../types.ts'

/** Attempts against concurrent changes of keys or pins. */
const maxAttempts = 6

export type Overview = Result<typeof contract.overview>

/**
 * A recovery key that becomes valid with `activate`; until then the old one is. Throws STALE_VERSION if the keys were
 * replaced meanwhile.
 */
export interface PreparedRecoveryKey {
  recoveryKey: string
  /** Takes the second factor where one is on. May be repeated after a refusal. */
  activate(proof?: SecondFactorProof): Promise<void>
}

/**
 * Members' changes to their own account. A wrong password throws WRONG_PASSWORD and counts as a failed sign-in.
 * Password, recovery key and deletion also need the second factor where one is on: SECOND_FACTOR_REQUIRED without it,
 * SECOND_FACTOR_WRONG or PASSKEY_REFUSED for a wrong one.
 */
export interface OwnAccount {
  overview(): Promise<Overview>
  /** PASSWORD_NEEDED for another email address without `confirmation`. */
  updateProfile(
    profile: { firstName: string; lastName: string; email: string },
    confirmation?: { password: string } & SecondFactorProof,
  ): Promise<User>
  /**
   * Wraps the account key under the new password and ends every other session. Detects whether a lost response had
   * succeeded.
   */
  changePassword(options: { currentPassword: string; newPassword: string } & SecondFactorProof): Promise<void>
  /**
   * Prepares a new password, account key, identity, epoch and recovery key, for when the old ones may be compromised.
   * Throws PASSWORD_UNCHANGED for the old password. `activate` puts all in place at once and ends every other session.
   */
  prepareNewKeys(options: { currentPassword: string; newPassword: string }): Promise<PreparedRecoveryKey>
  prepareRecoveryKey(password: string): Promise<PreparedRecoveryKey>
  /** Confirms that the recovery key shown at sign-up was saved. */
  confirmRecoveryKey(): Promise<void>
  /** Newest first. */
  sessions(): Promise<SignedInSession[]>
  endSession(id: string): Promise<void>
  /** Returns how many sessions it ended. */
  endOtherSessions(): Promise<number>
  /** Deletes the account, and its data on this device. */
  remove(confirmation: { username: string; password: string } & SecondFactorProof): Promise<void>
}

export function createOwnAccount(deps: {
  call: Call
  passwords: PasswordDerivation
  state: Store<AccountState>
  clock: ServerClock
  device: Device
  tabs: Pick<Tabs, 'runExclusive'>
  setUser(user: User): void
  deletion: Deletion
  keyRotation: KeyRotation
  alarm: SecurityAlert
}): OwnAccount {
  const { call, state, deletion } = deps

  /** Throws while no account is open. */
  function user(): User {
    const now = state.get()
    if (now.status === 'open') return now.user
    throw new CallError('NOT_SIGNED_IN')
  }

  const derive = (password: string) => deps.passwords.derive(password, user())
  const deriveNew = (password: string) => deps.passwords.deriveNew(password, user().username)

  /** Unwraps the raw account key. If the password fails, the server decides whether it is wrong, and counts it. */
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

  async function proveAndOpen(signIn: PasswordKeys): Promise<{ raw: Bytes; keys: OwnKeys }> {
    await call(contract.provePassword, { body: { password: signIn.authKey } })
    const keys = await loadOwnKeys(deps, user().id)
    return { raw: await openAccountKey(signIn, keys), keys }
  }

  /**
   * Whether the account key is wrapped under this password: after a lost response, the new one may be in force already.
   * Tested here, because the server would count a wrong password as a failed sign-in.
   */
  const canUnwrap = ({ wrapKey }: PasswordKeys, { wrappedAccountKey }: OwnKeys): Promise<boolean> =>
    unwrapAccountKey(wrapKey, wrappedAccountKey, { userId: user().id, purpose: 'password' }).then(
      () => true,
      () => false,
    )

  /** Wraps the current account key under the new password. */
  async function rewrap(before: PasswordKeys, after: PasswordKeys, proof: SecondFactorProof): Promise<void> {
    const keys = await loadOwnKeys(deps, user().id)
    const isBefore = await canUnwrap(before, keys)
    if (!isBefore && (await canUnwrap(after, keys))) {
      await call(contract.provePassword, { body: { password: after.authKey } })
      return void (await call(sessionContract.endOtherSessions, {}))
    }
    const raw = await openAccountKey(before, keys)
    const wrappedAccountKey = await wrapAccountKey(after.wrapKey, raw, { userId: user().id, purpose: 'password' })
    const { identityKey } = keys
    const passwords = { currentPassword: before.authKey, newPassword: after.authKey, passwordVersion: after.version }
    await call(contract.changePassword, { body: { ...passwords, wrappedAccountKey, identityKey, ...proof } }).catch(
      async (error: unknown) => {
        if (!isRetryable(error)) throw error
        const now = await loadOwnKeys(deps, user().id).catch(() => undefined)
        if (now?.wrappedAccountKey !== wrappedAccountKey) throw error
      },
    )
  }

  /** Creates a recovery key for this account key, with the fields that the server stores. */
  async function newRecovery(raw: Bytes, identity: Identity) {
    const { text: recoveryKey } = createRecoveryKey()
    const { proof: recoveryProof, wrapKey } = await deriveRecovery(recoveryKey)
    const wrap = { userId: user().id, purpose: 'recovery' } as const
    const recoveryWrappedAccountKey = await wrapAccountKey(wrapKey, raw, wrap)
    const recovery = await createRecoveryPair(identity, user().id, await deriveRecoverySeed(recoveryKey))
    return { recoveryKey, recovery: { recoveryProof, recovery, recoveryWrappedAccountKey } }
  }

  /**
   * Seals the seeds that this browser holds to the new recovery pair; nothing in the default mode. `after`: the newest
   * epoch that this browser knows.
   */
  async function sealToRecoveryKey(
    raw: Bytes,
    { kemKey }: RecoveryPair,
  ): Promise<{ seeds?: SealedSeed[]; after?: number | undefined }> {
    const userId = user().id
    const { browsers, epochs } = await loadOwnKeys(deps, userId)
    if (!browsers.mode.onlyApproved) return {}
    const { openSealedSeeds, sealToBrowsers } = await import('../keys/browsers/lazyBrowsers.ts')
    const held = await openSealedSeeds(deps, { userId, accountKey: await importAccountKey(raw) }, epochs)
    return { seeds: await sealToBrowsers(userId, held, [{ browserId: userId, kemKey }]), after: epochs.at(-1)?.n }
  }

  /** The new key was saved before its activation; the one it replaces may not have been. */
  function markRecoveryKeySaved(): void {
    const now = state.get()
    if (now.status === 'open') deps.setUser({ ...now.user, recoveryKeyUnsaved: undefined })
  }

  return {
    overview: () => call(contract.overview, {}),
    async updateProfile(profile, confirmation) {
      const confirming = confirmation && { ...confirmation, password: (await derive(confirmation.password)).authKey }
      const saved = await call(contract.updateProfile, { body: { ...profile, ...confirming } })
      deps.setUser(saved)
      return saved
    },
    async changePassword({ currentPassword, newPassword, ...proof }) {
      const [before, after] = [await derive(currentPassword), await deriveNew(newPassword)]
      await rewrap(before, after, proof)
      deps.setUser({ ...user(), passwordVersion: after.version })
    },
    async prepareNewKeys({ currentPassword, newPassword }) {
      const { id: userId } = user()
      const { createFreshKeys, createKeyReplacement } = await import('./newKeys/lazyKeys.ts')
      if (normalizePassword(currentPassword) === normalizePassword(newPassword))
        throw new CallError('PASSWORD_UNCHANGED')
      const [old, next] = [await derive(currentPassword), await deriveNew(newPassword)]
      const {
        raw,
        keys: { identityKey },
      } = await proveAndOpen(old)
      const before = { raw, accountKey: await importAccountKey(raw) }
      const fresh = await createFreshKeys()
      const keyShare = createKeyShare()
      const wrappedAccountKey = await wrapAccountKey(next.wrapKey, fresh.raw, { userId, purpose: 'password' })
      const { recoveryKey, recovery } = await newRecovery(fresh.raw, fresh.identity)
      const verifiers = { currentPassword: old.authKey, newPassword: next.authKey, passwordVersion: next.version }
      const passwords = { ...verifiers, wrappedAccountKey }

      async function replace(proof: SecondFactorProof | undefined): Promise<void> {
        for (let attempt = 1; ; attempt++) {
          const keys = await loadOwnKeys(deps, userId)
          // Already done: only the response was lost.
          if (keys.identityKey === fresh.identity.publicKey) return
          // Another tab or browser has replaced the keys meanwhile.
          if (keys.identityKey !== identityKey) throw new CallError('STALE_VERSION')
          // The epoch is dated, and the server's clock may have been set meanwhile.
          await deps.clock.synchronize()
          const now = deps.clock.now()
          const replacement = await createKeyReplacement({ ...deps, before, fresh, recovery, keys, now })
          try {
            return void (await call(contract.changePassword, {
              body: { ...passwords, replacement, keyShare, ...proof },
            }))
          } catch (error) {
            // Another browser has just published an epoch or changed the pins.
            if (!isCallError(error, 'EPOCH_CONFLICT', 'STALE_VERSION', 'BROWSERS_CHANGED') || attempt === maxAttempts)
              throw error
          }
        }
      }

      const areInPlace = () =>
        loadOwnKeys(deps, userId).then(
          ({ identityKey }) => identityKey === fresh.identity.publicKey,
          () => false,
        )
      const nextKeys = { raw: fresh.raw, keyShare, areInPlace }
      return {
        recoveryKey,
        async activate(proof) {
          await deps.keyRotation.run(userId, nextKeys, () => replace(proof))
          markRecoveryKeySaved()
        },
      }
    },
    async prepareRecoveryKey(password) {
      const signIn = await derive(password)
      const { raw, keys } = await proveAndOpen(signIn)
      // The new key would open less than the one before it.
      if (!keys.browsers.isApproved) throw new CallError('BROWSER_NOT_APPROVED')
      const { identity } = await openIdentity(await importAccountKey(raw), keys)
      const { recoveryKey, recovery } = await newRecovery(raw, identity)
      const body = { password: signIn.authKey, identityKey: identity.publicKey, ...recovery }
      return {
        recoveryKey,
        async activate(proof) {
          for (let attempt = 1; ; attempt++) {
            const sealed = await sealToRecoveryKey(raw, recovery.recovery)
            try {
              await call(contract.renewRecoveryKey, { body: { ...body, ...sealed, ...proof } })
              return markRecoveryKeySaved()
            } catch (error) {
              // Another browser has just published epochs or switched the mode: the next attempt loads the keys again.
              if (!isCallError(error, 'EPOCH_CONFLICT', 'BROWSERS_CHANGED') || attempt === maxAttempts) throw error
            }
          }
        },
      }
    },
    confirmRecoveryKey: async () => void (await call(contract.confirmRecoveryKey, {})),
    sessions: () => call(sessionContract.listSessions, {}),
    async endSession(id) {
      await call(sessionContract.endSession, { params: { id } }).catch((error: unknown) => {
        // The session ended meanwhile.
        if (!isCallError(error, 'NOT_FOUND')) throw error
      })
    },
    endOtherSessions: async () => (await call(sessionContract.endOtherSessions, {})).ended,
    async remove({ username, password, ...proof }) {
      const { authKey } = await derive(password)
      const body = { username, password: authKey, ...proof }
      await deletion.run(user().id, async () => void (await call(contract.remove, { body })))
    },
  }
}
