import { browsers as contract } from '@privity/contract/browsers'
import { keys as keysContract, type OwnEpoch } from '@privity/contract/keys'
import type { Identity } from '@privity/e2ee'
import { signApproval } from '@privity/e2ee/browserEntry'
import type { Call } from '../../transport/call.ts'
import { isCallError } from '../../transport/callError.ts'
import type { BrowserCalls } from './browserCalls.ts'
import type { LoadLinks } from './browserList.ts'
import { signMode } from './browserMode.ts'
import type { LoadedOwnKeys } from '../ownKeys.ts'

/**
 * Returns no links if the browser is no longer listed. Its entry then counts as altered, and the caller asks for the
 * list again.
 */
export const createLoadLinks =
  (call: Call): LoadLinks =>
  async (id, after) => {
    try {
      return await call(contract.listLinks, { params: { id }, query: { after } })
    } catch (error) {
      if (isCallError(error, 'BROWSER_NOT_FOUND')) return []
      throw error
    }
  }

/** The calls about browsers to the real server. `loadKeys` throws for own keys that the identity has not signed. */
export function createBrowserCalls(
  call: Call,
  { userId, identity }: { userId: string; identity: Identity },
  loadKeys: () => Promise<LoadedOwnKeys>,
): BrowserCalls<OwnEpoch> {
  return {
    async getKeys() {
      const { browsers, epochs, isModeOlder = false } = await loadKeys()
      return { ...browsers, epochs, isModeOlder }
    },
    getLinks: createLoadLinks(call),
    putOwn: async (renewal) => void (await call(contract.putOwn, { body: renewal })),
    bind: async (id, sessionSignature) =>
      void (await call(contract.bind, { params: { id }, body: { sessionSignature } })),
    async publish({ epochs, sealing }) {
      await call(keysContract.publishEpochs, { body: { epochs: [...epochs], sealing } })
    },
    async approve({ browserId: id, n }, seeds, recoveryProof) {
      const signature = await signApproval(identity, { userId, browserId: id, n }, seeds)
      await call(contract.approve, { params: { id }, body: { n, seeds, signature, recoveryProof } })
    },
    async remove(removal) {
      await call(contract.remove, { params: { id: removal.browserId }, body: removal })
    },
    async switchOn({ n, after }, to, seeds, damaged) {
      const mode = await signMode(identity, userId, { onlyApproved: true, n })
      await call(contract.setMode, { body: { ...mode, onlyApproved: true, after, ...to, seeds, damaged } })
    },
    async switchOff({ n, after }, wrapped) {
      const mode = await signMode(identity, userId, { onlyApproved: false, n })
      await call(contract.setMode, { body: { ...mode, onlyApproved: false, after, wrapped } })
    },
    getRecoverySeeds: () => call(contract.listRecoverySeeds, {}),
    isConflict: (error) => isCallError(error, 'BROWSERS_CHANGED', 'EPOCH_CONFLICT', 'BROWSER_REMOVED'),
  }
}
