import { keys as keysContract, type OwnKeys } from '@privity/contract/keys'
import type { AccountKey } from '@privity/e2ee'
import type { AccountInside } from './account.ts'
import type { Call } from './call.ts'
import { isPassing } from './callError.ts'
import type { Clock } from './clock.ts'
import type { TabNotice } from './tabs.ts'

/** The keys that take the place of all others. */
export interface NextKeys {
  accountKey: AccountKey
  identityKey: string
}

/** The replacement of all of an account's keys, in this tab or another, during which no session's end is news. */
export interface Changing {
  isRunning(): boolean
  /** Runs `change`, which has the server put the next keys in place, and opens the account again with them. */
  run(userId: string, next: NextKeys, change: () => Promise<void>): Promise<void>
  hear(notice: Extract<TabNotice, { type: 'keys_changing' | 'keys_changed' }>): void
  /** Whether other keys than those this tab has are the user's own doing, or its session is over. */
  replaced(keys: OwnKeys): Promise<boolean>
}

/** For a tab that is closed in the middle (ms). */
const patience = 60_000

export function createChanging(deps: {
  call: Call
  clock: Clock
  account: Pick<AccountInside, 'expectKey' | 'reopen' | 'fits'>
  tell(notice: TabNotice): void
  /** Finds out whether there still is a session. */
  recheck(): Promise<void>
}): Changing {
  const { call, clock, account, tell } = deps
  let here = false
  let elsewhere = false
  let stopTimer = () => {}

  const recheck = () => deps.recheck().catch(() => {})
  // Where it cannot be opened, the state says so.
  const reopen = () => account.reopen().catch(() => {})

  function endElsewhere(changed: boolean): void {
    elsewhere = false
    stopTimer()
    void (changed ? reopen() : recheck())
  }

  /** Where the answer was lost it may have been done all the same. */
  const isDone = ({ identityKey }: NextKeys) =>
    call(keysContract.getOwn, {}).then(
      (keys) => keys.identityKey === identityKey,
      () => false,
    )

  /** Resolves once it is done; what the server has refused is not expected any more. */
  async function attempt(next: NextKeys, change: () => Promise<void>): Promise<void> {
    await account.expectKey(next.accountKey)
    try {
      await change()
    } catch (error) {
      if (!isPassing(error)) await account.expectKey(undefined)
      else if (await isDone(next)) return
      throw error
    }
  }

  return {
    isRunning: () => here || elsewhere,
    async run(userId, next, change) {
      here = true
      tell({ type: 'keys_changing', userId })
      let changed = false
      try {
        await attempt(next, change)
        changed = true
        await account.reopen()
      } finally {
        here = false
        tell({ type: 'keys_changed', userId, changed })
        if (!changed) await recheck()
      }
    },
    hear(notice) {
      if (notice.type === 'keys_changed') return endElsewhere(notice.changed)
      elsewhere = true
      stopTimer()
      stopTimer = clock.after(patience, () => endElsewhere(false))
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
