import { keys, type OwnKeys } from '@privity/contract/keys'
import { verifyEpoch } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import type { Call } from '../transport/call.ts'
import { CallError } from '../transport/callError.ts'
import { identityKeyAt, type OwnIdentity } from './ownIdentity.ts'
import type { LastSeen } from './rollback.ts'
import { readBrowser } from './storedBrowser.ts'

/** Loads the user's own keys, with the seeds that are sealed to this browser. */
export async function loadOwnKeys(deps: { call: Call; device: Device }, userId: string): Promise<OwnKeys> {
  const browser = await readBrowser(deps.device, userId)
  return deps.call(keys.getOwn, { query: browser ? { browser: browser.browserId } : {} })
}

/** Throws KEYS_ALTERED unless the keys belong to this identity, and their epochs are signed and follow each other. */
export async function verifyOwnKeys(own: OwnIdentity, seen: LastSeen | undefined, received: OwnKeys): Promise<void> {
  const { publicKey } = own.identity
  const known = seen?.identityKey ?? publicKey
  // The record of former identities is encrypted under the account key, so a replacement in it is the user's own.
  const isKnown = known === publicKey || own.former.some((former) => former.publicKey === known)
  const { userId, identityKey, epochs } = received
  if (identityKey !== publicKey || !isKnown || epochs.length === 0) throw new CallError('KEYS_ALTERED')
  for (const [index, epoch] of epochs.entries()) {
    const before = epochs[index - 1]
    if (epoch.userId !== userId || (before && before.n >= epoch.n)) throw new CallError('KEYS_ALTERED')
    // Numbers are missing where epochs that lay ahead were deleted for new ones.
    const previous = before?.n === epoch.n - 1 ? before : undefined
    const signers = [identityKeyAt(own, epoch.n), previous && identityKeyAt(own, previous.n)] as const
    await verifyEpoch(signers[0], epoch, previous, signers[1]).catch((cause: unknown) => {
      throw new CallError('KEYS_ALTERED', { cause })
    })
  }
}
