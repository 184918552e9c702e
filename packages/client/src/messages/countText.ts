import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import { isCountedText, repetitionTag } from '@privity/e2ee/repetition'
import { limits } from '@privity/contract/limits'
import { repetitionBinding } from '../keys/aad.ts'
import type { Device } from '../device/device.ts'
import { duplicateTextsName } from '../device/storageNames.ts'
import type { Clock } from '../transport/clock.ts'

export interface DuplicateTextDeps {
  userId: string
  accountKey: AccountKey
  device: Device
  clock: Clock
}

export interface OwnText {
  /** The message's id. */
  id: string
  text: string
  createdAt: number
}

/** A text is tagged from its third time on. */
const minCountForTag = 3
/** Maximum of hashes on this device; the newest stay. Nobody types more texts in a day. */
const maxStored = 2_000

/** A keyed hash of an own text, which never leaves this device. */
type StoredHash = [messageId: string, hash: string, createdAt: number]

/** Used in place of the day: equal texts of different days have the same hash, and no hash is a valid tag. */
const storedHashDay = 'counted here'

async function load({ device, userId, accountKey }: DuplicateTextDeps): Promise<StoredHash[]> {
  const sealed = await device.get(duplicateTextsName(userId))
  if (typeof sealed !== 'string') return []
  try {
    const plain = await openPrivate(accountKey, repetitionBinding(userId), sealed)
    return JSON.parse(new TextDecoder().decode(plain)) as StoredHash[]
  } catch {
    // Encrypted under a replaced account key: counting starts over.
    return []
  }
}

async function save({ device, userId, accountKey }: DuplicateTextDeps, hashes: readonly StoredHash[]): Promise<void> {
  const plain = new TextEncoder().encode(JSON.stringify(hashes))
  await device.set(duplicateTextsName(userId), await sealPrivate(accountKey, repetitionBinding(userId), plain))
}

/**
 * Adds a text that is about to be sent, and the own messages `decrypted` since the last call, to the hashes of the last
 * 24 hours; each message counts once by its id. Returns today's tag (UTC) from the third equal text on. Calls must not
 * overlap, because each rewrites the stored hashes.
 */
export async function countText(
  deps: DuplicateTextDeps,
  text: OwnText,
  decrypted: readonly OwnText[],
): Promise<string | undefined> {
  if (!isCountedText(text.text)) return undefined
  const now = deps.clock.now()
  const since = now - limits.repeatedWindow
  const stored = (await load(deps)).filter(([, , createdAt]) => createdAt > since)
  const hashes = new Map(stored.map((entry) => [entry[0], entry]))
  for (const each of [...decrypted, text]) {
    if (hashes.has(each.id) || each.createdAt <= since || !isCountedText(each.text)) continue
    const hash = await repetitionTag(deps.accountKey, storedHashDay, each.text)
    hashes.set(each.id, [each.id, hash, each.createdAt])
  }
  const newest = [...hashes.values()].toSorted(([, , a], [, , b]) => a - b).slice(-maxStored)
  await save(deps, newest)
  const ownHash = hashes.get(text.id)?.[1]
  if (newest.filter(([, hash]) => hash === ownHash).length < minCountForTag) return undefined
  return repetitionTag(deps.accountKey, new Date(now).toISOString().slice(0, 10), text.text)
}
