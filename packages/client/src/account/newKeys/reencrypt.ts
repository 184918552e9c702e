import type { OwnKeys } from '@privity/contract/keys'
import { type AccountKey, importAccountKey, openPrivate, type PrivateBinding, sealPrivate } from '@privity/e2ee'
import { draftBinding, formerKeyBinding, outboxBinding, pinsBinding, seenEpochsBinding } from '../../keys/aad.ts'
import type { Device } from '../../device/device.ts'
import { getSeen, keepSeen } from '../../keys/rollback.ts'
import { draftPrefix, outboxPrefix, seenEpochsName } from '../../device/storageNames.ts'

/** The account keys before this one, for as long as what was written under them is worth keeping. */
async function openFormerKeys(accountKey: AccountKey, { userId, epochs }: OwnKeys): Promise<AccountKey[]> {
  const opened = epochs.map(async ({ n, wrappedFormerKey }) => {
    if (wrappedFormerKey === undefined) return []
    const raw = await openPrivate(accountKey, formerKeyBinding(userId, n), wrappedFormerKey).catch(() => undefined)
    return raw ? [await importAccountKey(raw)] : []
  })
  return (await Promise.all(opened)).flat()
}

/**
 * Seals what this device keeps under an account key that was replaced under the one there is now: what waits to be
 * sent, drafts, and what was seen of one's own pins and of contacts.
 */
export async function sealAnew(device: Device, accountKey: AccountKey, keys: OwnKeys): Promise<void> {
  const { userId } = keys
  const formerKeys = await openFormerKeys(accountKey, keys)

  /** Undefined where it needs none, or none of the keys opens it. */
  async function renew(binding: PrivateBinding, sealed: string): Promise<string | undefined> {
    const open = (key: AccountKey) => openPrivate(key, binding, sealed).catch(() => undefined)
    if (await open(accountKey)) return undefined
    for (const key of formerKeys) {
      const plain = await open(key)
      if (plain) return sealPrivate(accountKey, binding, plain)
    }
    return undefined
  }

  async function renewKept(name: string, binding: PrivateBinding): Promise<void> {
    const sealed = await device.get(name)
    const renewed = typeof sealed === 'string' ? await renew(binding, sealed) : undefined
    if (renewed !== undefined) await device.set(name, renewed)
  }

  async function renewAll(prefix: string, bind: (userId: string, id: string) => PrivateBinding): Promise<void> {
    for (const name of await device.names(prefix)) await renewKept(name, bind(userId, name.slice(prefix.length)))
  }

  await renewAll(outboxPrefix(userId), outboxBinding)
  await renewAll(draftPrefix(userId), draftBinding)
  await renewKept(seenEpochsName(userId), seenEpochsBinding(userId))
  const seen = await getSeen(device, userId)
  if (!seen?.pins) return
  const { version, sealed } = seen.pins
  const renewed = await renew(pinsBinding(userId, version), sealed)
  if (renewed !== undefined) await keepSeen(device, userId, { ...seen, pins: { version, sealed: renewed } })
}
