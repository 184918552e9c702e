import { browsers as contract } from '@privity/contract/browsers'
import { keys as keysContract, type OwnEpoch, type OwnKeys } from '@privity/contract/keys'
import type { Identity } from '@privity/e2ee'
import { signBrowserMode } from '@privity/e2ee/browserEntry'
import type { Call } from '../transport/call.ts'
import { isCallError } from '../transport/callError.ts'
import type { BrowserCalls } from './browserCalls.ts'

/** The calls about browsers to the real server. `verify` throws for own keys that the identity has not signed. */
export function createBrowserCalls(
  call: Call,
  { userId, identity }: { userId: string; identity: Identity },
  verify: (keys: OwnKeys) => Promise<void>,
): BrowserCalls<OwnEpoch> {
  const changeMode = async (onlyApproved: boolean, after: number) => ({
    after,
    signature: await signBrowserMode(identity, { userId, onlyApproved, after }),
  })
  return {
    async getKeys(browser) {
      const keys = await call(keysContract.getOwn, { query: { browser } })
      await verify(keys)
      return { ...keys.browsers, epochs: keys.epochs }
    },
    putOwn: async (renewal) => void (await call(contract.putOwn, { body: renewal })),
    bind: async (id) => void (await call(contract.bind, { params: { id } })),
    async publish({ epochs, sealing }) {
      await call(keysContract.publishEpochs, { body: { epochs: [...epochs], sealing } })
    },
    async approve({ browserId: id, n }, seeds) {
      await call(contract.approve, { params: { id }, body: { n, seeds } })
    },
    async remove(removal) {
      await call(contract.remove, { params: { id: removal.browserId }, body: removal })
    },
    async switchOn(after, listed, seeds) {
      const change = await changeMode(true, after)
      await call(contract.setMode, { body: { onlyApproved: true, ...change, listed, seeds } })
    },
    async switchOff(after, wrapped) {
      await call(contract.setMode, { body: { onlyApproved: false, ...(await changeMode(false, after)), wrapped } })
    },
    getRecoverySeeds: () => call(contract.listRecoverySeeds, {}),
    isConflict: (error) => isCallError(error, 'BROWSERS_CHANGED', 'EPOCH_CONFLICT', 'BROWSER_REMOVED'),
  }
}
