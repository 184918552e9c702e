import type { OwnKeys } from '@privity/contract/keys'
import type { SignedInUser } from '@privity/contract/session'
import type { Account } from './account/types.ts'
import type { Device } from './device/device.ts'
import type { Session } from './session.ts'
import { CallError } from './transport/callError.ts'
import type { ServerTime } from './transport/serverClock.ts'
import type { DecryptedMessage } from './types.ts'

/**
 * The server's half of an open account, as the page has it in memory: with the half on the device it opens the account.
 * For the page that is loaded next in the same window, if the server cannot be asked then. It must never be stored.
 */
export interface HandedOver {
  user: SignedInUser
  keys: OwnKeys
  /** The server's time. */
  now: number
  retention: number
}

/** A page that is loaded anew while the server cannot be reached goes on from the one before. */
export interface PageReload {
  /** Undefined while no account is open, and on a shared computer. */
  handOver(): HandedOver | undefined
  /** Opens the account of the page before. Rejects if the keys on this device do not fit. `ageMs`: since `handOver`. */
  resume(handedOver: HandedOver, ageMs: number): Promise<void>
  /** Watches the messages that the page before has shown. Returns those that have not expired. */
  restore(messages: readonly DecryptedMessage[]): Promise<DecryptedMessage[]>
}

export function createPageReload(deps: {
  account: Pick<Account, 'state' | 'start'>
  device: Device
  time: ServerTime
  session: () => Session | undefined
}): PageReload {
  const { account, device, time } = deps
  return {
    handOver() {
      const opened = deps.session()
      const state = account.state.get()
      if (!opened || state.status !== 'open' || device.isTransient?.()) return undefined
      const { session, keys } = opened.handOver()
      return { user: { ...state.user, session }, keys, now: time.clock.now(), retention: time.retention() }
    },
    async resume({ user, keys, now, retention }, ageMs) {
      time.resume({ now: now + ageMs, retention })
      await account.start(user, { keys })
      if (account.state.get().status !== 'open') throw new CallError('OFFLINE')
    },
    restore: async (messages) => (await deps.session()?.restore(messages)) ?? [],
  }
}
