import type { OwnKeys } from '@privity/contract/keys'
import type { AccountKey } from '@privity/e2ee'
import { isPassing } from '../../transport/callError.ts'
import type { Clock } from '../../transport/clock.ts'
import type { KeysLock } from './rotationLock.ts'
import type { TabNotice } from '../../device/tabs.ts'

/** The keys that take the place of all others. */
export interface NextKeys {
  accountKey: AccountKey
  /** Whether the server has them: where an answer was lost it may have been done all the same. */
  areInPlace(): Promise<boolean>
}

/** The replacement of all of an account's keys, in this tab or another, during which no session's end is news. */
export interface Changing {
  /** Runs `change`, which has the server put the next keys in place, and opens the account again with them. */
  run(userId: string, next: NextKeys, change: () => Promise<void>): Promise<void>
  hear(notice: Extract<TabNotice, { type: 'keys_changing' | 'keys_changed' }>): Promise<void>
  /** Whether other keys than those this tab has are the user's own doing, or its session is over. */
  replaced(keys: OwnKeys): Promise<boolean>
}

/** For a tab that is closed in the middle (ms). */
const patience = 60_000

/** The account whose keys are replaced. */
interface RotatingAccount {
  /** The account key that its keys will be sealed under from now on, if any. */
  expectKey(next: AccountKey | undefined): Promise<void>
  takeExpectedKey(): Promise<void>
  reopen(): Promise<void>
  /** Whether its account key, or the expected one, opens these keys. */
  fits(keys: OwnKeys): Promise<boolean>
}

export interface ChangingDeps {
  clock: Clock
  account: RotatingAccount
  keysLock: KeysLock
  tell(notice: TabNotice): void
  /** Finds out whether there still is a session. */
  recheck(): Promise<void>
  /** Whether it runs now. */
  running(isRunning: boolean): void
}

export function createChanging(deps: ChangingDeps): Changing {
  const { clock, account, tell } = deps
  let here = false
  let stopTimer = () => {}

  const recheck = () => deps.recheck().catch(() => {})
  // Where it cannot be opened, the state says so.
  const reopen = () => account.reopen().catch(() => {})

  async function endElsewhere(changed: boolean): Promise<void> {
    deps.running(false)
    stopTimer()
    await (changed ? reopen() : recheck())
  }

  /** Resolves once it is done; what the server has refused is not expected any more. */
  async function attempt(next: NextKeys, change: () => Promise<void>): Promise<void> {
    await account.expectKey(next.accountKey)
    try {
      await change()
    } catch (error) {
      if (!isPassing(error)) await account.expectKey(undefined)
      else if (await next.areInPlace()) return
      throw error
    }
  }

  return {
    async run(userId, next, change) {
      let changed = false
      try {
        await deps.keysLock.whileReplacing(async () => {
          here = true
          deps.running(true)
          // Every tab that is open by now has a session that hears it.
          tell({ type: 'keys_changing', userId })
          await attempt(next, change)
          // Another tab that waits to replace them would expect its own key in the place of this one. A device that
          // refuses it still has it as the expected one.
          await account.takeExpectedKey().catch(() => {})
        })
        changed = true
        await account.reopen()
      } finally {
        here = false
        deps.running(false)
        tell({ type: 'keys_changed', userId, changed })
        if (!changed) await recheck()
      }
    },
    async hear(notice) {
      if (notice.type === 'keys_changed') return endElsewhere(notice.changed)
      deps.running(true)
      stopTimer()
      stopTimer = clock.after(patience, () => void endElsewhere(false))
    },
    async replaced(keys) {
      if (await account.fits(keys)) {
        if (!here) void reopen()
        return true
      }
      // Refused where the session has ended with the keys it knew; that signs out.
      await deps.recheck()
      return false
    },
  }
}
