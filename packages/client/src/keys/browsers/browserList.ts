import type { SealedSeed } from '@privity/contract/browserKeys'
import { type Bytes, E2eeError } from '@privity/e2ee'
import {
  type BrowserEntry,
  type BrowserRemoval,
  sealSeed,
  verifyBrowserEntry,
  verifyBrowserRemoval,
  verifyBrowserSignature,
} from '@privity/e2ee/browserEntry'
import type { Device } from '../../device/device.ts'
import { seenBrowsersName } from '../../device/storageNames.ts'
import type { Tabs } from '../../device/tabs.ts'

/** The newest pair of a browser that this browser has seen, and the key of that browser. */
interface SeenEntry {
  /** The identity that signed the entry. */
  identityKey: string
  browserId: string
  n: number
  createdAt: number
  signKey: string
}

/** Newest last. */
interface SeenBrowsers {
  entries: readonly SeenEntry[]
  removed: readonly string[]
}

/** A dishonest server must not fill the device. */
const maxSeen = 100

/** The browsers to which seeds may be sealed, and whether the server has shown any that they may not be sealed to. */
export interface AcceptedBrowsers {
  listed: readonly BrowserEntry[]
  /** Those that the identity has signed, accepted or not: the user can remove them. */
  signed: readonly BrowserEntry[]
  /** The ids of those that the identity has signed as removed, now or before. */
  removed: ReadonlySet<string>
  isAltered: boolean
}

async function verifies(verification: Promise<void>): Promise<boolean> {
  return verification.then(
    () => true,
    () => false,
  )
}

/**
 * By number or by date: a restored backup assigns numbers again, and a clock may have been ahead. The entries of new
 * keys are none of the former ones.
 */
const isOlder = (entry: BrowserEntry, seen: SeenEntry | undefined, identityKey: string) =>
  seen?.identityKey === identityKey && entry.n < seen.n && entry.createdAt <= seen.createdAt

/** Whether it has another key than was seen: the identity key, which the password opens, can sign such an entry. */
const hasOtherKey = (entry: BrowserEntry, seen: SeenEntry | undefined) =>
  seen !== undefined && entry.signKey !== seen.signKey

function merge(
  seen: SeenBrowsers,
  identityKey: string,
  listed: readonly BrowserEntry[],
  removed: readonly string[],
): SeenBrowsers {
  const ids = new Set(listed.map(({ browserId }) => browserId))
  const entries = listed.map(({ browserId, n, createdAt, signKey }) => ({
    identityKey,
    browserId,
    n,
    createdAt,
    signKey,
  }))
  const others = seen.entries.filter(({ browserId }) => !ids.has(browserId))
  const added = removed.filter((id) => !seen.removed.includes(id))
  return { entries: [...others, ...entries].slice(-maxSeen), removed: [...seen.removed, ...added].slice(-maxSeen) }
}

/**
 * Accepts the list of browsers as the server shows it: what the identity has signed, without a browser that was removed
 * before, or whose pair is an older one than this browser has seen, which a copy of it may still hold. Each must have
 * signed its entry itself, with the key that this browser has seen of it.
 */
export async function acceptBrowsers(
  { device, tabs }: { device: Device; tabs: Pick<Tabs, 'runExclusive'> },
  own: { userId: string; identityKey: string },
  shown: { browsers: readonly BrowserEntry[]; removed: readonly BrowserRemoval[] },
): Promise<AcceptedBrowsers> {
  const { userId, identityKey } = own
  const name = seenBrowsersName(userId)
  const read = async () => ((await device.get(name)) as SeenBrowsers | undefined) ?? { entries: [], removed: [] }
  const seen = await read()
  const removed: string[] = []
  for (const removal of shown.removed)
    if (removal.userId === userId && (await verifies(verifyBrowserRemoval(identityKey, removal))))
      removed.push(removal.browserId)
  const gone = new Set([...seen.removed, ...removed])
  const listed: BrowserEntry[] = []
  const signed: BrowserEntry[] = []
  for (const entry of shown.browsers) {
    const { browserId } = entry
    const isTwice = signed.some((other) => other.browserId === browserId)
    const before = seen.entries.find((each) => each.browserId === browserId)
    const isOwn = entry.userId === userId && (await verifies(verifyBrowserEntry(identityKey, entry)))
    if (!isOwn || isTwice) continue
    signed.push(entry)
    const isGenuine = !hasOtherKey(entry, before) && (await verifies(verifyBrowserSignature(identityKey, entry)))
    if (isGenuine && !gone.has(browserId) && !isOlder(entry, before, identityKey)) listed.push(entry)
  }
  const isAltered = listed.length < shown.browsers.length || removed.length < shown.removed.length
  // Read again, because another tab may have seen more meanwhile.
  await tabs.runExclusive(`privity-${name}`, async () =>
    device.set(name, merge(await read(), identityKey, listed, removed)),
  )
  return { listed, signed, removed: gone, isAltered }
}

/**
 * Seals each seed to each browser, one after the other: none holds the page up for longer than one takes. A browser
 * whose public key is no key gets none, because it must not keep the others from theirs.
 */
export async function sealToBrowsers(
  userId: string,
  seeds: ReadonlyMap<number, Bytes>,
  browsers: readonly Pick<BrowserEntry, 'browserId' | 'kemKey'>[],
): Promise<SealedSeed[]> {
  const made: SealedSeed[] = []
  for (const [n, seed] of seeds)
    for (const { browserId, kemKey } of browsers) {
      const sealed = await sealSeed(kemKey, { userId, n, browserId }, seed).catch((error: unknown) => {
        // Code that could not be loaded must not pass for it: the seed would be sealed to nobody.
        if (!(error instanceof E2eeError)) throw error
      })
      if (sealed !== undefined) made.push({ n, browserId, sealed })
    }
  return made
}
