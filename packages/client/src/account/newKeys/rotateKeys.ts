import type { OwnKeys } from '@privity/contract/keys'
import { isRetryable } from '../../transport/callError.ts'
import type { Clock } from '../../transport/clock.ts'
import type { NextKey } from '../keyStore.ts'
import type { RotationLock } from '../../device/timedLock.ts'
import type { TabNotice } from '../../device/tabs.ts'

/** The keys that replace all others, and the account key among them. */
export interface NextKeys extends NextKey {
  /** Whether the server has stored them: a lost response may have succeeded. */
  areInPlace(): Promise<boolean>
}

/** The replacement of all keys of an account, in this tab or another. It ends sessions, which the user is not told. */
export interface KeyRotation {
  isRunning(): boolean
  /** Runs `change`, which puts the next keys in place on the server, and opens the account with them. */
  run(userId: string, next: NextKeys, change: () => Promise<void>): Promise<void>
  handleNotice(notice: Extract<TabNotice, { type: 'keys_changing' | 'keys_changed' }>): Promise<void>
  /**
   * Whether the user has replaced the keys: this device holds the account key for these. Then the account is reopened
   * with them. Throws if the session has ended.
   */
  isOwnReplacement(keys: OwnKeys): Promise<boolean>
}

/** Limits the wait for another tab, which may be closed meanwhile. */
const otherTabTimeoutMs = 60_000

/** The account whose keys are replaced. */
interface RotatingAccount {
  /** Stores the account key that is about to become valid; undefined: none. */
  setNextKey(next: NextKey | undefined): Promise<void>
  promoteNextKey(): Promise<void>
  reopen(): Promise<void>
  /** Whether its account key, or the expected one, decrypts these keys. */
  fits(keys: OwnKeys): Promise<boolean>
}

export interface KeyRotationDeps {
  clock: Clock
  account: RotatingAccount
  rotationLock: RotationLock
  notifyTabs(notice: TabNotice): void
  /** Checks whether the session still exists. */
  recheck(): Promise<void>
  /** The account could not be opened with its new keys, so this tab is signed out. */
  onNotOpened(): void
}

export function createKeyRotation(deps: KeyRotationDeps): KeyRotation {
  const { clock, account, notifyTabs } = deps
  let isRunning = false
  /** Whether this tab runs the rotation. */
  let isRunningHere = false
  let stopTimer = () => {}

  const recheck = () => deps.recheck().catch(() => {})
  const reopen = () => account.reopen().catch(deps.onNotOpened)

  async function endElsewhere(changed: boolean): Promise<void> {
    isRunning = false
    stopTimer()
    await (changed ? reopen() : recheck())
  }

  /** Resolves once the server has the keys. After a definite refusal they are no longer expected. */
  async function attempt(next: NextKeys, change: () => Promise<void>): Promise<void> {
    await account.setNextKey(next)
    try {
      await change()
    } catch (error) {
      if (!isRetryable(error)) await account.setNextKey(undefined)
      else if (await next.areInPlace()) return
      throw error
    }
  }

  return {
    isRunning: () => isRunning,
    async run(userId, next, change) {
      let changed = false
      try {
        await deps.rotationLock.whileReplacing(async () => {
          isRunningHere = true
          isRunning = true
          // Opening waits for this lock, so every tab that opened before has a session that handles this notice.
          notifyTabs({ type: 'keys_changing', userId })
          await attempt(next, change)
          // Under the lock: another tab that waits for it would overwrite the expected key with its own. If the device
          // refuses, the key stays the expected one, which opens the account too.
          await account.promoteNextKey().catch(() => {})
        })
        changed = true
        await reopen()
      } finally {
        isRunningHere = false
        isRunning = false
        notifyTabs({ type: 'keys_changed', userId, changed })
        if (!changed) await recheck()
      }
    },
    async handleNotice(notice) {
      if (notice.type === 'keys_changed') return endElsewhere(notice.changed)
      isRunning = true
      stopTimer()
      stopTimer = clock.after(otherTabTimeoutMs, () => void endElsewhere(false))
    },
    async isOwnReplacement(keys) {
      if (await account.fits(keys)) {
        if (!isRunningHere) void reopen()
        return true
      }
      // Signs out and throws if the session has ended.
      await deps.recheck()
      return false
    },
  }
}
