import { createPublicKey, verify } from 'node:crypto'
import type {
  BrowserEntry,
  BrowserLink,
  BrowserRemoval,
  ListedBrowsers,
  BrowserRenewal,
  RecoveryPair,
  SealedSeed,
  SealedTo,
} from '@privity/contract/browserKeys'
import { limits } from '@privity/contract/limits'
import { signedLinkBytes } from '@privity/contract/signedBytes'
import { fromBase64url, type Identity } from '@privity/e2ee'
import { browserEntryHash, toBrowserLink } from '@privity/e2ee/browserEntry'
import type {
  BrowserEpoch,
  BrowserKeys,
  EpochPublication,
  ModeChange,
} from '../../../src/keys/browsers/browserCalls.ts'

export const hour = 60 * 60 * 1000
export const duration = limits.epochDuration
/** Shorter than a real one: fewer seeds to seal. */
export const retention = 10 * hour
export const epochsAhead = 2
export const maxBrowsers = 3

/** An epoch with the end of its use: its own, or the start of the epoch that took its place. */
export type ModelEpoch = BrowserEpoch & { usedUntil: number }

/** Without what is sealed in the default mode. */
type Publication = Omit<EpochPublication<BrowserEpoch>, 'sealing'> & Partial<EpochPublication<BrowserEpoch>>

export class Refusal extends Error {}

const refuse = (code: 'BROWSERS_CHANGED' | 'EPOCH_CONFLICT' | 'REMOVED'): never => {
  throw new Refusal(code)
}

function isSigned(signKey: string, bytes: Uint8Array, signature: string): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: signKey }, format: 'jwk' })
  return verify(null, bytes, key, fromBase64url(signature))
}

/** The rules of the server, each call whole or not at all. */
export function createServer(
  now: () => number,
  isApprovedAtFirst: boolean,
  { recovery, userId, identity }: { recovery: RecoveryPair; userId: string; identity: Identity },
) {
  let onlyApproved = isApprovedAtFirst
  let modeChanges = isApprovedAtFirst ? 1 : 0
  let isPublicationDue = false
  let epochs: ModelEpoch[] = []
  const rows = new Map<string, { entry: BrowserEntry; links: BrowserLink[]; isListed: boolean; usedAt: number }>()
  const removed: BrowserRemoval[] = []
  const sealed = new Map<string, SealedSeed>()
  let uses = 0

  const keyOf = (n: number, browserId: string) => `${n}/${browserId}`
  const isLiving = ({ usedUntil }: ModelEpoch) => usedUntil + retention > now()
  const living = () => epochs.filter(isLiving)
  const listed = () => [...rows.values()].filter(({ isListed }) => isListed).map(({ entry }) => entry)
  const isRemoved = (id: string) => removed.some(({ browserId }) => browserId === id)
  const sealedFor = (id: string) => living().filter(({ n }) => sealed.has(keyOf(n, id)))
  /** The living epochs whose seeds are sealed to anybody. */
  const sealedNumbers = () =>
    [...sealed.values()].map(({ n }) => n).filter((n) => living().some((each) => each.n === n))
  const nameOf = (list: ListedBrowsers) =>
    list
      .map(({ browserId, n }) => `${browserId} ${n}`)
      .toSorted()
      .join()

  function checkListed(given: ListedBrowsers): void {
    if (nameOf(given) !== nameOf(listed())) refuse('BROWSERS_CHANGED')
  }

  function checkChange({ n, after }: ModeChange): void {
    if ((epochs.at(-1)?.n ?? 0) !== after) refuse('EPOCH_CONFLICT')
    if (n <= modeChanges) refuse('BROWSERS_CHANGED')
  }

  function checkRenewal({ entry, seen }: BrowserRenewal): void {
    if (isRemoved(entry.browserId)) refuse('REMOVED')
    const own = rows.get(entry.browserId)
    if (entry.n !== (own?.entry.n ?? 0) + 1) refuse('BROWSERS_CHANGED')
    const link = toBrowserLink(identity.publicKey, entry)
    const { signKey } = own?.entry ?? entry
    if (!isSigned(signKey, signedLinkBytes(entry, link, fromBase64url), link.signature))
      throw new Error('The signing key before it did not sign this entry.')
    if (sealedFor(entry.browserId).some(({ n }) => !seen.includes(n))) refuse('BROWSERS_CHANGED')
  }

  const store = (seeds: readonly SealedSeed[]) => {
    for (const each of seeds)
      if (living().some(({ n }) => n === each.n)) sealed.set(keyOf(each.n, each.browserId), each)
  }

  function renew({ entry, seeds }: BrowserRenewal): void {
    const { browserId } = entry
    for (const { n } of epochs) sealed.delete(keyOf(n, browserId))
    store(seeds)
    const links = [...(rows.get(browserId)?.links ?? []), toBrowserLink(identity.publicKey, entry)]
    rows.set(browserId, { entry, links, isListed: true, usedAt: ++uses })
    // The one that has been away for longest is no longer sealed to, and keeps what was sealed to it.
    const excess = [...rows.values()].filter(({ isListed }) => isListed).toSorted((a, b) => a.usedAt - b.usedAt)
    for (const row of excess.slice(0, -maxBrowsers)) row.isListed = false
  }

  function destroyDue(): void {
    const newest = epochs.at(-1)
    epochs = epochs.filter((epoch) => isLiving(epoch) || epoch === newest)
    for (const [key, { n }] of sealed) if (!living().some((epoch) => epoch.n === n)) sealed.delete(key)
  }

  return {
    sealed,
    listedIds: () => listed().map(({ browserId }) => browserId),
    isOnlyApproved: () => onlyApproved,
    /** The hash of a browser's newest entry, which an approving browser has compared. */
    entryHashOf(browserId: string): string {
      const entry = rows.get(browserId)?.entry
      return entry ? browserEntryHash(identity.publicKey, entry) : ''
    },
    living,
    getRecoverySeeds: () => [...sealed.values()].filter(({ browserId }) => browserId === userId),
    getKeys(browserId: string): BrowserKeys<BrowserEpoch> {
      destroyDue()
      const own = rows.get(browserId)
      if (own) own.usedAt = ++uses
      return {
        mode: { onlyApproved, n: modeChanges },
        isModeRequired: false,
        isModeOlder: false,
        isApproved: !onlyApproved || sealedNumbers().every((n) => sealed.has(keyOf(n, browserId))),
        own: own?.entry,
        isListed: own?.isListed ?? false,
        isBound: true,
        browsers: listed(),
        removed: [...removed],
        recovery,
        isPublicationDue,
        epochs: epochs.map(({ usedUntil: _used, ...epoch }) => ({
          ...epoch,
          sealedSeed: sealed.get(keyOf(epoch.n, browserId))?.sealed,
        })),
      }
    },
    getLinks: (browserId: string, after: number) => rows.get(browserId)?.links.filter(({ n }) => n > after) ?? [],
    putOwn(renewal: BrowserRenewal): void {
      checkRenewal(renewal)
      renew(renewal)
    },
    publish({ epochs: made, after, sealing }: Publication): void {
      if ((sealing !== undefined) !== onlyApproved) refuse('BROWSERS_CHANGED')
      if ((epochs.at(-1)?.n ?? 0) !== after) refuse('EPOCH_CONFLICT')
      if (sealing) {
        checkRenewal(sealing.renewal)
        checkListed(sealing.listed)
      }
      const startsAt = made[0]?.startsAt ?? 0
      epochs = epochs.filter((epoch) => epoch.startsAt < startsAt)
      for (const epoch of epochs) epoch.usedUntil = Math.min(epoch.usedUntil, startsAt)
      epochs.push(...made.map((epoch) => ({ ...epoch, usedUntil: epoch.endsAt })))
      isPublicationDue = false
      if (!sealing) return
      renew(sealing.renewal)
      store(sealing.seeds)
    },
    approve(to: Pick<BrowserEntry, 'browserId' | 'n'>, seeds: readonly SealedSeed[]): void {
      if (rows.get(to.browserId)?.entry.n !== to.n || isRemoved(to.browserId)) refuse('BROWSERS_CHANGED')
      store(seeds)
    },
    remove(removal: BrowserRemoval): void {
      if (isRemoved(removal.browserId)) refuse('BROWSERS_CHANGED')
      removed.push(removal)
      rows.delete(removal.browserId)
      isPublicationDue = onlyApproved
      for (const [key, { browserId }] of sealed) if (browserId === removal.browserId) sealed.delete(key)
    },
    /** Every wrapped seed that lives is sealed to every listed browser, and its wrap destroyed. */
    switchOn(change: ModeChange, { listed: given }: SealedTo, seeds: readonly SealedSeed[]): void {
      checkChange(change)
      checkListed(given)
      const covered = new Set(seeds.map(({ n }) => n))
      if (living().some(({ n, wrappedSeed }) => wrappedSeed && !covered.has(n))) refuse('BROWSERS_CHANGED')
      store(seeds)
      for (const epoch of epochs) epoch.wrappedSeed = undefined
      onlyApproved = true
      modeChanges = change.n
      isPublicationDue = true
    },
    switchOff(change: ModeChange, wrapped: readonly { n: number; wrappedSeed: string }[]): void {
      checkChange(change)
      for (const epoch of living()) epoch.wrappedSeed = wrapped.find(({ n }) => n === epoch.n)?.wrappedSeed
      onlyApproved = false
      modeChanges = change.n
      isPublicationDue = false
    },
  }
}

export type Server = ReturnType<typeof createServer>
