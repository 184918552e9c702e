import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import type { Envelope } from '@privity/contract/messages'
import { outboxBinding } from '../keys/aad.ts'
import type { Device } from '../device/device.ts'
import type { OutboxItem } from '../types.ts'
import { outboxPrefix, storeMarkName } from '../device/storageNames.ts'

/** An item with what it needs to go out: the file it carries, and how it was sealed the last time. */
export interface KeptItem extends OutboxItem {
  file?: { filePath: string; fileSize: number; fileKey: string } | undefined
  /**
   * Set before it leaves for the first time: until then a server that has stored it still has it, and sending it again
   * under its id stores it once. Later the server may have expired and forgotten it.
   */
  repeatableUntil?: number | undefined
  /** The tab that added it lets it leave even if the device refuses every later write; `until` as above. */
  mayLeave?: { tabId: string; until: number } | undefined
  sealed?: { content: string; envelope: Envelope; fileName?: string; fileKey?: string; repetition?: string } | undefined
}

/** Names and values of the device; undefined removes. */
export type DeviceChange = ReadonlyMap<string, unknown>

/** The outbox on this device, each item sealed under the account key. */
export interface OutboxKeeping {
  /** `memory`: what this tab has, for a store that was emptied. */
  load(memory: readonly KeptItem[]): Promise<KeptItem[]>
  /** In one transaction with `others`. Rejects only where the item is not kept. */
  add(item: KeptItem, others?: DeviceChange): Promise<void>
  /**
   * Keeps a change, or the removal (undefined). What the device refuses holds while this tab is open, and is tried again.
   * Returns whether the device reports it as written.
   */
  save(id: string, item: KeptItem | undefined): Promise<boolean>
  /** The item as the device has it. */
  find(id: string): Promise<KeptItem | undefined>
  /** From now on `load` writes nothing. */
  stop(): void
  /** Another tab has removed this item, although the device may still have it. */
  removedElsewhere(id: string): void
}

/** Tells the other tabs that they read again, and which item is gone for good. */
type Changed = (removed?: string) => void

const readAttempts = 40

export function createOutboxKeeping(
  device: Device,
  { userId, accountKey, changed }: { userId: string; accountKey: AccountKey; changed: Changed },
): OutboxKeeping {
  const prefix = outboxPrefix(userId)
  let mark: unknown
  let stopped = false
  /** Items that the device failed to write, by id; undefined for one that it failed to remove. */
  const unwritten = new Map<string, KeptItem | undefined>()

  async function read(name: string): Promise<KeptItem | undefined> {
    const sealed = await device.get(name)
    if (typeof sealed !== 'string') return undefined
    try {
      const plain = await openPrivate(accountKey, outboxBinding(userId, name.slice(prefix.length)), sealed)
      return JSON.parse(new TextDecoder().decode(plain)) as KeptItem
    } catch {
      // Another tab may just be sealing it under a new account key.
      return undefined
    }
  }

  async function readAll(): Promise<KeptItem[]> {
    const items = await Promise.all((await device.names(prefix)).map(read))
    return items.filter((item) => item !== undefined)
  }

  /** A tab that is closed while it sends leaves what waits. */
  const resting = (item: KeptItem): KeptItem => (item.state === 'sending' ? { ...item, state: 'waiting' } : item)

  async function put(item: KeptItem, others?: DeviceChange): Promise<void> {
    const plain = new TextEncoder().encode(JSON.stringify(item))
    const sealed = await sealPrivate(accountKey, outboxBinding(userId, item.id), plain)
    if (others) await device.change(new Map([...others, [prefix + item.id, sealed]]))
    else await device.set(prefix + item.id, sealed)
  }

  async function save(id: string, changedTo: KeptItem | undefined): Promise<boolean> {
    const item = changedTo && resting(changedTo)
    try {
      await (item ? put(item) : device.remove(prefix + id))
      unwritten.delete(id)
      changed(item ? undefined : id)
      return true
    } catch {
      unwritten.set(id, item)
      if (!item) changed(id)
      return false
    }
  }

  /** A device that fails now and then is asked again: nobody may be told that a message is not kept while it is. */
  async function isWritten(id: string): Promise<boolean> {
    for (let attempt = 1; attempt <= readAttempts; attempt++) {
      try {
        return (await device.get(prefix + id)) !== undefined
      } catch {
        // Asked again.
      }
    }
    return false
  }

  async function markStore(): Promise<void> {
    const found = await device.get(storeMarkName)
    const made = found ?? crypto.randomUUID()
    if (found === undefined) await device.set(storeMarkName, made)
    mark = made
  }

  async function isEmptied(): Promise<boolean> {
    if (mark !== undefined) return (await device.get(storeMarkName)) !== mark
    await markStore().catch(() => {})
    return false
  }

  /** Removed from the store, and not by a tab; or brought back by another tab as it was before it was tried again. */
  function isLost({ id, createdAt }: KeptItem, loaded: readonly KeptItem[]): boolean {
    const found = loaded.find((item) => item.id === id)
    if (found) return found.createdAt < createdAt
    return !unwritten.has(id) || unwritten.get(id) !== undefined
  }

  /** Another tab may have let the message leave since the device refused this tab's change of it. */
  function keepMark(id: string, repeatableUntil: number | undefined): void {
    const item = unwritten.get(id)
    if (item) unwritten.set(id, { ...item, repeatableUntil: item.repeatableUntil ?? repeatableUntil })
  }

  /** Where the store refuses it stays unmarked, so that this is tried again. */
  async function restore(lost: readonly KeptItem[]): Promise<void> {
    try {
      for (const item of lost) await put(item)
      await markStore()
      changed()
    } catch {
      // Nothing else depends on it.
    }
  }

  return {
    async load(memory) {
      const before = await readAll()
      const wasEmptied = await isEmptied()
      // It may have been emptied just after it was read.
      const loaded = wasEmptied ? await readAll() : before
      if (stopped) return []
      const lost = wasEmptied ? memory.filter((item) => isLost(item, loaded)).map(resting) : []
      if (wasEmptied) await restore(lost)
      const has = (id: string, items: readonly KeptItem[]) => items.some((item) => item.id === id)
      // Another tab has sent or discarded these: they must not come back.
      for (const id of unwritten.keys()) if (!has(id, loaded)) unwritten.delete(id)
      for (const { id, repeatableUntil } of loaded) keepMark(id, repeatableUntil)
      const items = loaded.map((item) => (unwritten.has(item.id) ? unwritten.get(item.id) : item))
      for (const [id, item] of unwritten) await save(id, item)
      return [...items.filter((item) => item !== undefined && !has(item.id, lost)), ...lost] as KeptItem[]
    },
    async add(item, others) {
      try {
        await put(item, others)
      } catch (error) {
        // It may be written all the same: what stays there would be sent, or another tab has just sent it.
        if ((await isWritten(item.id)) || unwritten.has(item.id)) return changed()
        await save(item.id, undefined)
        throw error
      }
      changed()
    },
    save,
    find: (id) => read(prefix + id),
    removedElsewhere: (id) => void unwritten.set(id, undefined),
    stop: () => void (stopped = true),
  }
}
