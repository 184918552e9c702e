import { openPrivate, sealPrivate, type AccountKey } from '@privity/e2ee'
import { isCountedText, repetitionTag } from '@privity/e2ee/repetition'
import { limits } from '@privity/contract/limits'
import { repetitionBinding } from '../keys/aad.ts'
import { repetitionName } from '../device/storageNames.ts'

import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'

/** From the third time on a text is tagged. */
const tagsFrom = 3
/** Kept on this device, the newest: nobody types more in a day. */
const mostKept = 2_000

/** A text of one's own: the message's id, what it says as a keyed hash that never leaves this device, and when. */
type Said = [id: string, hash: string, at: number]

/** Also in the place of a day: this hash compares texts across the days, and is no tag. */
const across = 'counted here'

async function load({ device, userId, accountKey }: RepetitionDeps): Promise<Said[]> {
  const sealed = await device.get(repetitionName(userId))
  if (typeof sealed !== 'string') return []
  try {
    const plain = await openPrivate(accountKey, repetitionBinding(userId), sealed)
    return JSON.parse(new TextDecoder().decode(plain)) as Said[]
  } catch {
    // Sealed under an account key that was replaced: the count begins anew.
    return []
  }
}

async function keep({ device, userId, accountKey }: RepetitionDeps, said: readonly Said[]): Promise<void> {
  const plain = new TextEncoder().encode(JSON.stringify(said))
  await device.set(repetitionName(userId), await sealPrivate(accountKey, repetitionBinding(userId), plain))
}

/**
 * Counts a text that is about to be sent among one's own of the last 24 hours, those of `opened` included, each message
 * once by its id; the tag of today (UTC) where this is the third equal one or a further one. One call at a time.
 */
export async function countText(
  deps: RepetitionDeps,
  text: OwnText,
  opened: readonly OwnText[],
): Promise<string | undefined> {
  if (!isCountedText(text.text)) return undefined
  const now = deps.clock.now()
  const since = now - limits.repeatedWindow
  const said = new Map((await load(deps)).filter(([, , at]) => at > since).map((each) => [each[0], each]))
  for (const each of [...opened, text]) {
    if (said.has(each.id) || each.at <= since || !isCountedText(each.text)) continue
    said.set(each.id, [each.id, await repetitionTag(deps.accountKey, across, each.text), each.at])
  }
  const kept = [...said.values()].toSorted(([, , one], [, , other]) => one - other).slice(-mostKept)
  await keep(deps, kept)
  const own = said.get(text.id)?.[1]
  const times = kept.filter(([, hash]) => hash === own).length
  if (times < tagsFrom) return undefined
  return repetitionTag(deps.accountKey, new Date(now).toISOString().slice(0, 10), text.text)
}

export interface RepetitionDeps {
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
