import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import { draftBinding } from './bindings.ts'
import type { Device } from './device.ts'
import { draftPrefix } from './keptNames.ts'

/** What is typed but not sent, sealed on this device. */
export interface Drafts {
  /** '' where there is none, or where it cannot be opened any more. */
  get(connectionId: string): Promise<string>
  set(connectionId: string, text: string): Promise<void>
  /** Tells the other tabs that this one sends what is kept. */
  sending(connectionId: string): Promise<void>
}

export function createDrafts(
  device: Device,
  { userId, accountKey }: { userId: string; accountKey: AccountKey },
): Pick<Drafts, 'get' | 'set'> & { stop(): Promise<void> } {
  const nameOf = (connectionId: string) => draftPrefix(userId) + connectionId
  let writing: Promise<unknown> = Promise.resolve()
  let stopped = false

  async function write(connectionId: string, text: string): Promise<void> {
    if (text === '') return device.remove(nameOf(connectionId))
    if (stopped) return
    const plain = new TextEncoder().encode(text)
    await device.set(nameOf(connectionId), await sealPrivate(accountKey, draftBinding(userId, connectionId), plain))
  }

  return {
    async get(connectionId) {
      await writing.catch(() => {})
      const sealed = await device.get(nameOf(connectionId))
      if (typeof sealed !== 'string') return ''
      try {
        return new TextDecoder().decode(await openPrivate(accountKey, draftBinding(userId, connectionId), sealed))
      } catch {
        return ''
      }
    },
    /** One after the other: sealing takes a moment, and the last text must win. */
    set(connectionId, text) {
      const written = writing.catch(() => {}).then(() => write(connectionId, text))
      writing = written
      return written
    },
    /** Resolves when nothing more is written to the device. */
    async stop() {
      stopped = true
      await writing.catch(() => {})
    },
  }
}
