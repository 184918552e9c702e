import { openPrivate, sealPrivate, type AccountKey } from '@privity/e2ee'
import { isCountedText, repetitionTag } from '@privity/e2ee/repetition'
import { limits } from '@privity/contract/limits'
import { repetitionBinding } from '../keys/aad.ts'
import { duplicateTextsName } from '../device/storageNames.ts'

import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'

/** A text is tagged from its third time on. */
const minCountForTag = 3
/** The newest texts are kept on this device: nobody types more in a day. */
const maxStored = 2_000

/** An own text: the message's id, a keyed hash of the text that never leaves this device, and its time. */
type CountedText = [id: string, hash: string, at: number]

/** Used in place of the day, so that the hash compares texts across days and is never a valid tag. */
const countingDay = 'counted here'

async function load({ device, userId, accountKey }: DuplicateTextDeps): Promise<CountedText[]> {
  const sealed = await device.get(duplicateTextsName(userId))
  if (typeof sealed !== 'string') return []
  try {
    const plain = await openPrivate(accountKey, repetitionBinding(userId), sealed)
    return JSON.parse(new TextDecoder().decode(plain)) as CountedText[]
  } catch {
    // Encrypted under a replaced account key: counting starts over.
    return []
  }
}

async function keep({ device, userId, accountKey }: DuplicateTextDeps, said: readonly CountedText[]): Promise<void> {
  const plain = new TextEncoder().encode(JSON.stringify(said))
  await device.set(duplicateTextsName(userId), await sealPrivate(accountKey, repetitionBinding(userId), plain))
}

/**
 * Counts a text that is about to be sent among the user's own of the last 24 hours, including `opened`, each message
 * once by its id. Returns today's tag (UTC) from the third equal text on. One call at a time.
 */
export async function countText(
  deps: DuplicateTextDeps,
  text: OwnText,
  opened: readonly OwnText[],
): Promise<string | undefined> {
  if (!isCountedText(text.text)) return undefined
  const now = deps.clock.now()
  const since = now - limits.repeatedWindow
  const said = new Map((await load(deps)).filter(([, , at]) => at > since).map((each) => [each[0], each]))
  for (const each of [...opened, text]) {
    if (said.has(each.id) || each.at <= since || !isCountedText(each.text)) continue
    said.set(each.id, [each.id, await repetitionTag(deps.accountKey, countingDay, each.text), each.at])
  }
  const kept = [...said.values()].toSorted(([, , one], [, , other]) => one - other).slice(-maxStored)
  await keep(deps, kept)
  const own = said.get(text.id)?.[1]
  const times = kept.filter(([, hash]) => hash === own).length
  if (times < minCountForTag) return undefined
  return repetitionTag(deps.accountKey, new Date(now).toISOString().slice(0, 10), text.text)
}

export interface DuplicateTextDeps {
  userId: string
  accountKey: AccountKey
  device: Device
  clock: Clock
}

export interface OwnText {
  id: string
  text: string
  at: number
}
