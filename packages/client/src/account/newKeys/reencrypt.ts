import type { OwnKeys } from '@privity/contract/keys'
import { type AccountKey, importAccountKey, openPrivate, type PrivateBinding, sealPrivate } from '@privity/e2ee'
import { readOwnBrowserKeys } from '@privity/e2ee/ownBrowserKeys'
import {
  browserBinding,
  draftBinding,
  formerKeyBinding,
  outboxBinding,
  contactEpochsBinding,
  shownMessagesBinding,
  metContactsBinding,
} from '../../keys/aad.ts'
import type { Device } from '../../device/device.ts'
import type { Tabs } from '../../device/tabs.ts'
import { readBrowser } from '../../keys/browsers/storedBrowser.ts'
import { readLastSeen, saveLastSeen } from '../../keys/rollback.ts'
import { forNewKey, openPins, sealPins } from '../../trust/pinList.ts'
import {
  browserName,
  draftPrefix,
  outboxPrefix,
  contactEpochsName,
  shownMessagesName,
  metContactsName,
} from '../../device/storageNames.ts'

type ReencryptDeps = { device: Device; tabs: Pick<Tabs, 'runExclusive'> }

/** The name of the lock that a tab holds while it re-encrypts or removes what is encrypted under former keys. */
export const reencryptionLockName = (userId: string) => `privity-reencrypt/${userId}`

/** The former account keys, while data encrypted under them is still in use. */
async function openFormerKeys(accountKey: AccountKey, { userId, epochs }: OwnKeys): Promise<AccountKey[]> {
  const opened = epochs.map(async ({ n, wrappedFormerKey }) => {
    if (wrappedFormerKey === undefined) return []
    const raw = await openPrivate(accountKey, formerKeyBinding(userId, n), wrappedFormerKey).catch(() => undefined)
    return raw ? [await importAccountKey(raw)] : []
  })
  return (await Promise.all(opened)).flat()
}

/**
 * Re-encrypts this device's data under the current account key after a key rotation: outbox, drafts, the messages shown
 * before, the contacts met, the keys of this browser, and the state that detects rollbacks of pins and of
 * contacts' epochs.
 */
export function reencryptStorage(deps: ReencryptDeps, accountKey: AccountKey, keys: OwnKeys): Promise<void> {
  // One tab at a time, before it writes anything else under the current key: the first tab encrypts everything, and the
  // next finds nothing left to do. Otherwise a tab could write back what it read before another tab's change.
  return deps.tabs.runExclusive(reencryptionLockName(keys.userId), () => reencryptAlone(deps, accountKey, keys))
}

async function reencryptAlone(deps: ReencryptDeps, accountKey: AccountKey, keys: OwnKeys): Promise<void> {
  const { device } = deps
  const { userId } = keys
  const formerKeys = await openFormerKeys(accountKey, keys)

  /** Undefined where it is current already, or no known key decrypts it. */
  async function reencrypt(binding: PrivateBinding, sealed: string): Promise<string | undefined> {
    const open = (key: AccountKey) => openPrivate(key, binding, sealed).catch(() => undefined)
    if (await open(accountKey)) return undefined
    for (const key of formerKeys) {
      const plain = await open(key)
      if (plain) return sealPrivate(accountKey, binding, plain)
    }
    return undefined
  }

  async function reencryptValue(name: string, binding: PrivateBinding): Promise<void> {
    const sealed = await device.get(name)
    const reencrypted = typeof sealed === 'string' ? await reencrypt(binding, sealed) : undefined
    if (reencrypted !== undefined) await device.set(name, reencrypted)
  }

  async function reencryptAll(prefix: string, bind: (userId: string, id: string) => PrivateBinding): Promise<void> {
    for (const name of await device.names(prefix)) await reencryptValue(name, bind(userId, name.slice(prefix.length)))
  }

  /**
   * Re-encrypts the keys of this browser. Removes them if this browser has not seen their first entry listed: the
   * former identity may have listed it, and the new identity must not list another entry of that number.
   */
  async function reencryptBrowser(): Promise<void> {
    const browser = await readBrowser(device, userId)
    const binding = browser && browserBinding(userId, browser.browserId)
    const sealed = binding && (await reencrypt(binding, browser.sealed))
    if (sealed === undefined) return
    const { n } = readOwnBrowserKeys(await openPrivate(accountKey, binding as PrivateBinding, sealed))
    await (n === 0 ? device.remove(browserName(userId)) : device.set(browserName(userId), { ...browser, sealed }))
  }

  await reencryptAll(outboxPrefix(userId), outboxBinding)
  await reencryptAll(draftPrefix(userId), draftBinding)
  await reencryptValue(contactEpochsName(userId), contactEpochsBinding(userId))
  await reencryptValue(shownMessagesName(userId), shownMessagesBinding(userId))
  await reencryptValue(metContactsName(userId), metContactsBinding(userId))
  await reencryptBrowser()
  const pinsBefore = (await readLastSeen(device, userId))?.pins
  if (!pinsBefore) return
  const openList = (key: AccountKey) => openPins(key, userId, pinsBefore).catch(() => undefined)
  if (await openList(accountKey)) return
  for (const key of formerKeys) {
    const list = await openList(key)
    if (!list) continue
    const { version } = pinsBefore
    const sealed = await sealPins(accountKey, userId, version, forNewKey(list))
    return saveLastSeen(deps, userId, { pins: { version, sealed }, pinsBefore })
  }
}
