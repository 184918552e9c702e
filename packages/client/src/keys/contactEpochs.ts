import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import { seenEpochsBinding } from './aad.ts'
import type { Device } from '../device/device.ts'
import { seenEpochsName } from '../device/storageNames.ts'

/** Of a contact: the highest epoch this browser has seen signed by this identity key. */
interface Highest {
  identityKey: string
  n: number
}

/**
 * The highest epoch of each contact, so that a server that brings back an older one is noticed after a reload too.
 * It stays at sign-out, sealed under the account key.
 */
export interface SeenEpochs {
  /** 0 where none was seen. */
  highest(userId: string, identityKey: string): number
  raise(userId: string, seen: Highest): Promise<void>
}

export async function openSeenEpochs(
  device: Device,
  own: { userId: string; accountKey: AccountKey },
): Promise<SeenEpochs> {
  const { userId, accountKey } = own
  const name = seenEpochsName(userId)
  const binding = seenEpochsBinding(userId)

  async function read(): Promise<Map<string, Highest>> {
    const sealed = await device.get(name)
    if (typeof sealed !== 'string') return new Map()
    const plain = await openPrivate(accountKey, binding, sealed).catch(() => undefined)
    return new Map(plain ? (JSON.parse(new TextDecoder().decode(plain)) as [string, Highest][]) : [])
  }

  /** Another tab may have raised others meanwhile. */
  async function write(contact: string, seen: Highest): Promise<void> {
    const kept = await read()
    const before = kept.get(contact)
    if (before?.identityKey === seen.identityKey && before.n >= seen.n) return
    kept.set(contact, seen)
    await device.set(name, await sealPrivate(accountKey, binding, new TextEncoder().encode(JSON.stringify([...kept]))))
  }

  const known = await read()
  let queue = Promise.resolve()
  return {
    highest(contact, identityKey) {
      const seen = known.get(contact)
      return seen?.identityKey === identityKey ? seen.n : 0
    },
    raise(contact, seen) {
      known.set(contact, seen)
      const written = queue.then(() => write(contact, seen))
      queue = written.catch(() => {})
      return written
    },
  }
}
