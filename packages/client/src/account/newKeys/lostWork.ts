import { type AccountKey, openPrivate } from '@privity/e2ee'
import type { Call } from '../../transport/call.ts'
import type { Device } from '../../device/device.ts'
import { draftPrefix, outboxPrefix } from '../../device/storageNames.ts'
import type { Tabs } from '../../device/tabs.ts'
import { draftBinding, outboxBinding } from '../../keys/aad.ts'
import type { OwnIdentity } from '../../keys/ownIdentity.ts'
import { loadOwnKeys, verifyOwnKeys } from '../../keys/ownKeys.ts'
import { readLastSeen } from '../../keys/rollback.ts'
import { reencryptionLockName } from './reencrypt.ts'

interface LostWorkDeps {
  call: Call
  device: Device
  tabs: Pick<Tabs, 'runExclusive'>
}

type OwnAccount = OwnIdentity & { userId: string; accountKey: AccountKey }

/** Names and values of the unsent messages and drafts of this device that the account key does not open. */
async function findUnopened(device: Device, { userId, accountKey }: OwnAccount): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [prefix, bind] of [
    [outboxPrefix(userId), outboxBinding] as const,
    [draftPrefix(userId), draftBinding] as const,
  ])
    for (const name of await device.names(prefix)) {
      const sealed = await device.get(name)
      if (typeof sealed !== 'string') continue
      const binding = bind(userId, name.slice(prefix.length))
      if (!(await openPrivate(accountKey, binding, sealed).catch(() => undefined))) found.set(name, sealed)
    }
  return found
}

/**
 * Whether no key will ever open what the account key does not. Throws if the server does not show this identity as the
 * newest: a later account key may exist. If no epoch of a former identity lives, the former account keys are destroyed,
 * because they are kept beside those epochs.
 */
async function areFormerKeysDestroyed({ call, device }: LostWorkDeps, own: OwnAccount): Promise<boolean> {
  const keys = await loadOwnKeys({ call, device }, own.userId)
  const seen = await readLastSeen(device, own.userId)
  await verifyOwnKeys(own, seen, keys)
  const [lastFormer, newest] = [own.former[0]?.lastEpoch, keys.epochs.at(-1)?.n ?? 0]
  // A server that returns older keys may have lost a later account key, which another tab still holds.
  if (lastFormer === undefined || newest < (seen?.epoch ?? 0)) return false
  return keys.epochs.every(({ n }) => n > lastFormer)
}

/**
 * Removes the unsent messages and drafts that no key opens any more, because the keys were replaced in another browser
 * while this one was away for longer than former keys are kept. Returns how many they were.
 */
export function removeLostWork(deps: LostWorkDeps, own: OwnAccount): Promise<number> {
  const { device, tabs } = deps
  return tabs.runExclusive(reencryptionLockName(own.userId), async () => {
    // Read before the keys are loaded: if another tab has encrypted any of these under later keys, those are refused.
    const found = await findUnopened(device, own)
    if (found.size === 0 || !(await areFormerKeysDestroyed(deps, own))) return 0
    const removed = new Map<string, undefined>()
    for (const [name, sealed] of found) if ((await device.get(name)) === sealed) removed.set(name, undefined)
    await device.change(removed)
    return removed.size
  })
}
