import type { User } from '@privity/contract/session'
import type { Store } from '../transport/store.ts'
import type { AccountState } from '../types.ts'
import type { Account, AccountInternals } from './types.ts'

/** Starts the account, and again where another tab has signed in: only once a start that is running has ended. */
export function createStarts(deps: {
  state: Store<AccountState>
  open: Account['start']
  getUser(): Promise<User>
  close: AccountInternals['close']
}): Pick<Account & AccountInternals, 'start' | 'followSignIn'> {
  const { state, open, getUser, close } = deps
  let starting: Promise<void> | undefined

  function start(...args: Parameters<Account['start']>): Promise<void> {
    const running = open(...args).finally(() => {
      if (starting === running) starting = undefined
    })
    return (starting = running)
  }

  return {
    start,
    async followSignIn(userId) {
      await starting?.catch(() => {})
      const before = state.get()
      if (before.status === 'open' && before.user.id === userId) return
      try {
        await start(await getUser())
      } catch (error) {
        // The keys on this device may be those of the member who has signed in.
        if ('user' in before && before.user.id !== userId) await close({ removeKeys: false })
        throw error
      }
    },
  }
}
