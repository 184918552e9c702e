import { push as contract, type PushState, type PushSubscription } from '@privity/contract/push'
import type { Call } from './transport/call.ts'

/** Notifications of this browser by its push service, while no page is open. */
export interface Push {
  get(): Promise<PushState>
  /** Rejects with PUSH_FORBIDDEN or PUSH_SERVICE_REFUSED. */
  subscribe(subscription: PushSubscription): Promise<void>
  /** Also the choice not to be asked in this browser. */
  unsubscribe(): Promise<void>
}

export const createPush = (call: Call): Push => ({
  get: () => call(contract.get, {}),
  subscribe: async (body) => void (await call(contract.subscribe, { body })),
  unsubscribe: async () => void (await call(contract.unsubscribe, {})),
})
