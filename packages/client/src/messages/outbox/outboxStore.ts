import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import type { Grant } from '@privity/contract/grant'
import type { Envelope } from '@privity/contract/messages'
import { outboxBinding } from '../../keys/aad.ts'
import type { Device } from '../../device/device.ts'
import type { OutboxItem } from '../../types.ts'
import { outboxPrefix, storeMarkName } from '../../device/storageNames.ts'

/** One moment (ms) by two clocks: the server's, as this browser knew it when it set the deadline, and the device's. */
export interface Deadline {
  server: number
  device: number
}

/** An outbox item with the file it carries and its last encrypted form. */
export interface StoredItem extends OutboxItem {
  /** `approve`: the recipient is authorized with the message. */
  file?: { filePath: string; fileSize: number; fileKey: string; approve?: boolean } | undefined
  /**
   * Until then, resending the item under its id stores it once; afterwards the message may have expired at the server,
   * which then has no row of it. Set before the item is first sent.
   */
  repeatableUntil?: Deadline | undefined
  /** The tab that may send the item even if the device refuses to store `repeatableUntil`; `until` stands in for it. */
  mayLeave?: { tabId: string; until: Deadline } | undefined
  sealed?:
    | {
        content: string
        envelope: Envelope
        /** The signed time; a later one where that is not after all own messages before it. */
        sentAt: number
        /** The signed time by the clock alone. */
        signedAt: number
        /** The correction of the clock (ms) then. */
        correction: number
        /** How long the message lives once the server has stored it. */
        lifetime: number
        /** When a key that opens the message is destroyed, of either side. */
        readableUntil: number
        fileName?: string
        fileKey?: string
        grant?: Grant
        repetition?: string
      }
    | undefined
}

/** Names and values to write to the device; undefined removes. */
export type DeviceChange = ReadonlyMap<string, unknown>

/** The outbox on this device, each item encrypted under the account key. */
export interface OutboxStore {
  /** Loads all items. `memory`: the items of this tab, restored if the storage was cleared. */
  load(memory: readonly StoredItem[]): Promise<StoredItem[]>
  /** Stores an item in one transaction with `others`. Rejects only if the item is not stored. */
  add(item: StoredItem, others?: DeviceChange): Promise<void>
  /**
   * Saves a change, or a removal (undefined). A refused write holds in this tab and is retried. Returns whether the
   * device reports it as written.
   */
  save(id: string, item: StoredItem | undefined): Promise<boolean>
  /** Reads the item from the device. */
  find(id: string): Promise<StoredItem | undefined>
  /** Stops `load` from writing. */
  stop(): void
  /** Records that another tab has removed this item, although the device may still hold it. */
  markRemovedElsewhere(id: string): void
}

/** Notifies the other tabs to reload, and which item is removed for good. */
type Changed = (removed?: string) => void

const maxReadAttempts = 40

export function createOutboxStore(
  device: Device,
  { userId, accountKey, changed }: { userId: string; accountKey: AccountKey; changed: Changed },
): OutboxStore {
  const prefix = outboxPrefix(userId)
  let mark: unknown
  let stopped = false
  /** Items that the device failed to write, by id; undefined for a failed removal. */
  const unwritten = new Map<string, StoredItem | undefined>()

  async function read(name: string): Promise<StoredItem | undefined> {
    const sealed = await device.get(name)
    if (typeof sealed !== 'string') return undefined
    try {
      const plain = await openPrivate(accountKey, outboxBinding(userId, name.slice(prefix.length)), sealed)
      return JSON.parse(new TextDecoder().decode(plain)) as StoredItem
    } catch {
      // Another tab may be re-encrypting it under a new account key.
      return undefined
    }
  }

  async function readAll(): Promise<StoredItem[]> {
    const items = await Promise.all((await device.names(prefix)).map(read))
    return items.filter((item) => item !== undefined)
  }

  /** An item being sent is stored as waiting, so that another tab sends it if this one closes. */
  const resting = (item: StoredItem): StoredItem => (item.state === 'sending' ? { ...item, state: 'waiting' } : item)

  async function put(item: StoredItem, others?: DeviceChange): Promise<void> {
    const plain = new TextEncoder().encode(JSON.stringify(item))
    const sealed = await sealPrivate(accountKey, outboxBinding(userId, item.id), plain)
    if (others) await device.change(new Map([...others, [prefix + item.id, sealed]]))
    else await device.set(prefix + item.id, sealed)
  }

  async function save(id: string, changedTo: StoredItem | undefined): Promise<boolean> {
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

  /** Retries a flaky device: a message that is stored must not be reported as lost. */
  async function isWritten(id: string): Promise<boolean> {
    for (let attempt = 1; attempt <= maxReadAttempts; attempt++) {
      try {
        return (await device.get(prefix + id)) !== undefined
      } catch {
        // Try again.
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

  /**
   * Whether an item of this tab must be written back: it was lost when the storage was cleared and not removed by a
   * tab, or another tab has restored an older state of it.
   */
  function isLost({ id, createdAt }: StoredItem, loaded: readonly StoredItem[]): boolean {
    const found = loaded.find((item) => item.id === id)
    if (found) return found.createdAt < createdAt
    return !unwritten.has(id) || unwritten.get(id) !== undefined
  }

  /** Copies the stored mark into this tab's unwritten change, because another tab may have sent the message since. */
  function keepMark(id: string, repeatableUntil: Deadline | undefined): void {
    const item = unwritten.get(id)
    if (item) unwritten.set(id, { ...item, repeatableUntil: item.repeatableUntil ?? repeatableUntil })
  }

  /** Writes lost items back. If that fails, the store stays unmarked, and the next `load` tries again. */
  async function restore(lost: readonly StoredItem[]): Promise<void> {
    try {
      for (const item of lost) await put(item)
      await markStore()
      changed()
    } catch {
      // The next `load` tries again.
    }
  }

  return {
    async load(memory) {
      const before = await readAll()
      const wasEmptied = await isEmptied()
      // It may have been cleared just after it was read.
      const loaded = wasEmptied ? await readAll() : before
      if (stopped) return []
      const lost = wasEmptied ? memory.filter((item) => isLost(item, loaded)).map(resting) : []
      if (wasEmptied) await restore(lost)
      const has = (id: string, items: readonly StoredItem[]) => items.some((item) => item.id === id)
      // Another tab has sent or discarded these: they must not return.
      for (const id of unwritten.keys()) if (!has(id, loaded)) unwritten.delete(id)
      for (const { id, repeatableUntil } of loaded) keepMark(id, repeatableUntil)
      const items = loaded.map((item) => (unwritten.has(item.id) ? unwritten.get(item.id) : item))
      for (const [id, item] of unwritten) await save(id, item)
      return [...items.filter((item) => item !== undefined && !has(item.id, lost)), ...lost] as StoredItem[]
    },
    async add(item, others) {
      try {
        await put(item, others)
      } catch (error) {
        // The write may have succeeded despite the error: then the item is sent, or another tab has removed it already.
        if ((await isWritten(item.id)) || unwritten.has(item.id)) return changed()
        await save(item.id, undefined)
        throw error
      }
      changed()
    },
    save,
    find: (id) => read(prefix + id),
    markRemovedElsewhere: (id) => void unwritten.set(id, undefined),
    stop: () => void (stopped = true),
  }
}
