import type { BrowserKeys, SealedSeed, SealedTo } from '@privity/contract/browserKeys'
import { type Bytes, E2eeError } from '@privity/e2ee'
import {
  type BrowserEntry,
  browserEntryHash,
  type BrowserLink,
  type BrowserRemoval,
  sealSeed,
  toBrowserLink,
  verifyBrowserEntry,
  verifyBrowserLinks,
  verifyBrowserRemoval,
} from '@privity/e2ee/browserEntry'
import type { Device } from '../../device/device.ts'
import { seenBrowsersName } from '../../device/storageNames.ts'
import type { Tabs } from '../../device/tabs.ts'

/** The newest entry of a browser that this browser has seen. */
interface SeenEntry {
  browserId: string
  n: number
  signKey: string
  entryHash: string
}

interface SeenBrowsers {
  /** In the order in which this browser met them. */
  entries: readonly SeenEntry[]
  /** Newest last. */
  removed: readonly string[]
}

/** A dishonest server must not fill the device. */
const maxSeen = 100

/**
 * The most entries of a browser that may be missed: more than it adds in nine years. Without a limit, somebody with the
 * password could add entries to a browser of their own without end, and keep this browser loading their links.
 */
const maxMissed = 10_000

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

function merge(
  seen: SeenBrowsers,
  identityKey: string,
  listed: readonly BrowserEntry[],
  removed: readonly string[],
): SeenBrowsers {
  const find = (id: string) => seen.entries.find(({ browserId }) => browserId === id)
  const shown = listed.map((entry): SeenEntry => {
    const { browserId, n, signKey } = entry
    const before = find(browserId)
    // Another tab may have seen a newer one meanwhile.
    if (before && before.n >= n) return before
    return { browserId, n, signKey, entryHash: browserEntryHash(identityKey, entry) }
  })
  const shownById = new Map(shown.map((each) => [each.browserId, each]))
  const before = seen.entries.map((each) => shownById.get(each.browserId) ?? each)
  const met = shown.filter(({ browserId }) => find(browserId) === undefined)
  let excess = before.length + met.length - maxSeen
  // The ones met last are forgotten first, but none that is shown. Otherwise a server that has the password could
  // list new browsers until this browser has forgotten one that it knows.
  const isKept = ({ browserId }: SeenEntry) => shownById.has(browserId) || excess-- <= 0
  const kept = before.toReversed().filter(isKept).toReversed()
  const added = removed.filter((id) => !seen.removed.includes(id))
  return { entries: [...kept, ...met], removed: [...seen.removed, ...added].slice(-maxSeen) }
}

/** Loads the links of a browser after number `after`, a page at a time, oldest first. */
export type LoadLinks = (browserId: string, after: number) => Promise<readonly BrowserLink[]>

/**
 * Whether the entry follows the one that this browser has seen: it is the same, or links lead to its signing key, each
 * signed by the key before it. The signature of the identity is not enough, because the password opens the identity
 * key. If this browser has seen no entry, any is accepted; one of number 1 must be signed by its own signing key.
 */
async function follows(
  identityKey: string,
  entry: BrowserEntry,
  before: SeenEntry | undefined,
  loadLinks: LoadLinks,
): Promise<boolean> {
  const link = toBrowserLink(identityKey, entry)
  if (before === undefined && entry.n > 1) return true
  if (before && before.n >= entry.n) return before.n === entry.n && before.entryHash === link.entryHash
  let known: Pick<BrowserLink, 'n' | 'signKey'> = before ?? { n: 0, signKey: entry.signKey }
  if (entry.n - known.n > maxMissed) return false
  while (known.n < entry.n - 1) {
    const between = (await loadLinks(entry.browserId, known.n)).filter(({ n }) => n < entry.n)
    if (between.length === 0 || !(await verifies(verifyBrowserLinks(entry, known, between)))) return false
    known = between.at(-1) as BrowserLink
  }
  return verifies(verifyBrowserLinks(entry, known, [link]))
}

/**
 * Checks the list of browsers that the server shows. Accepts the entries that the identity has signed, except those of
 * removed browsers, and those that do not follow the entry that this browser has seen of the same browser.
 */
export async function acceptBrowsers(
  deps: { device: Device; tabs: Pick<Tabs, 'runExclusive'>; loadLinks: LoadLinks },
  own: { userId: string; identityKey: string },
  shown: { browsers: readonly BrowserEntry[]; removed: readonly BrowserRemoval[] },
): Promise<AcceptedBrowsers> {
  const { device, tabs, loadLinks } = deps
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
    if (!gone.has(browserId) && (await follows(identityKey, entry, before, loadLinks))) listed.push(entry)
  }
  const isAltered = listed.length < shown.browsers.length || removed.length < shown.removed.length
  // Read again, because another tab may have seen more meanwhile.
  await tabs.runExclusive(`privity-${name}`, async () =>
    device.set(name, merge(await read(), identityKey, listed, removed)),
  )
  return { listed, signed, removed: gone, isAltered }
}

/** The listed browsers, accepted or not, and the recovery pair, as the server has shown them, for compare-and-set. */
export const toSealedTo = ({ browsers, recovery }: Pick<BrowserKeys, 'browsers' | 'recovery'>): SealedTo => ({
  listed: browsers.map(({ browserId, n }) => ({ browserId, n })),
  recovery: recovery.signature,
})

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
