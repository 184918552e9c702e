import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import type { Envelope } from '@privity/contract/messages'
import { outboxBinding } from './bindings.ts'
import type { Device } from './device.ts'
import type { OutboxItem } from './types.ts'
import { outboxPrefix } from './keptNames.ts'

/** An item with what it needs to go out: the file it carries, and how it was sealed the last time. */
export interface KeptItem extends OutboxItem {
  file?: { filePath: string; fileSize: number; fileKey: string } | undefined
  sealed?: { content: string; envelope: Envelope; fileName?: string; fileKey?: string; repetition?: string } | undefined
}

/** The outbox on this device, each item sealed under the account key. */
export interface OutboxKeeping {
  load(): Promise<KeptItem[]>
  put(item: KeptItem): Promise<void>
  remove(id: string): Promise<void>
}

export function createOutboxKeeping(
  device: Device,
  { userId, accountKey }: { userId: string; accountKey: AccountKey },
): OutboxKeeping {
  const prefix = outboxPrefix(userId)

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

  return {
    async load() {
      const items = await Promise.all((await device.names(prefix)).map(read))
      return items.filter((item) => item !== undefined)
    },
    async put(item) {
      const plain = new TextEncoder().encode(JSON.stringify(item))
      await device.set(prefix + item.id, await sealPrivate(accountKey, outboxBinding(userId, item.id), plain))
    },
    remove: (id) => device.remove(prefix + id),
  }
}
