import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import { unmetContactsName } from '../device/storageNames.ts'
import { unmetContactsBinding } from '../keys/aad.ts'

/**
 * The contacts that were there before this browser first opened the account. It has no memory of their keys, so it asks
 * before it first sends to one of them. Encrypted under the account key.
 */
export interface UnmetContacts {
  /** Until both lists of the first opening are known, every contact is one. */
  has(userId: string): Promise<boolean>
  /**
   * Gives the first opening's list of connections or of their keys: a contact of either is one, so that the server
   * cannot leave out of one whom it shows in the other. Later lists change nothing.
   */
  start(list: 'connections' | 'keys', contacts: readonly { userId: string }[]): Promise<void>
  remove(userId: string): Promise<void>
}

export async function openUnmetContacts(
  device: Device,
  { userId, accountKey }: { userId: string; accountKey: AccountKey },
): Promise<UnmetContacts> {
  const name = unmetContactsName(userId)
  const binding = unmetContactsBinding(userId)
  let known: ReadonlySet<string> | undefined
  /** Those met before the first list. */
  const met = new Set<string>()
  const first: Partial<Record<'connections' | 'keys', readonly { userId: string }[]>> = {}

  async function read(): Promise<ReadonlySet<string> | undefined> {
    const sealed = await device.get(name)
    if (typeof sealed !== 'string') return known
    const plain = await openPrivate(accountKey, binding, sealed).catch(() => undefined)
    if (plain) known = new Set(JSON.parse(new TextDecoder().decode(plain)) as string[])
    return known
  }

  async function write(userIds: Iterable<string>): Promise<void> {
    known = new Set(userIds)
    const plain = new TextEncoder().encode(JSON.stringify([...known]))
    await device.set(name, await sealPrivate(accountKey, binding, plain))
  }

  await read()
  return {
    async has(contact) {
      // Contacts are only removed; another tab may have removed this one.
      if (met.has(contact) || known?.has(contact) === false) return false
      return (await read())?.has(contact) ?? true
    },
    async start(list, contacts) {
      first[list] ??= contacts
      const { connections, keys } = first
      if (known !== undefined || (await read()) !== undefined || !connections || !keys) return
      const userIds = new Set([...connections, ...keys].map(({ userId }) => userId))
      await write([...userIds].filter((id) => !met.has(id)))
    },
    async remove(contact) {
      met.add(contact)
      const before = await read()
      if (before?.has(contact)) await write([...before].filter((id) => id !== contact))
    },
  }
}
