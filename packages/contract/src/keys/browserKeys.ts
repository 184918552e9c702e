import { z } from 'zod'
import { limits } from '../limits.ts'
import { base64url, id, time } from '../values.ts'

/** Sizes follow from ../e2ee: X-Wing public key 1,216, Ed25519 64, SHA-256 32, a sealed seed 1,168 bytes. */
const kemKey = base64url(1216)
export const signature = base64url(64)
/** The number of an entry or of an epoch. */
export const number = z
  .int()
  .min(1)
  .max(2 ** 32 - 1)

/**
 * A browser in its user's list: the newest of its entries, numbered from 1 and signed by the user's identity key. Each
 * entry names a new pair and a new signing key.
 */
export const browserEntry = z.object({
  userId: id,
  browserId: id.describe('chosen by the browser when it lists itself; never reused'),
  n: number,
  kemKey,
  signKey: base64url(32).describe('with its private key the browser proves that it is the one listed'),
  createdAt: time,
  signature,
  browserSignature: signature.describe('of its link, by the signing key of entry n - 1; by its own where n is 1'),
})
export type BrowserEntry = z.output<typeof browserEntry>

/** The part of an entry that the signing key of the entry before it signs, so that others can follow the keys. */
export const browserLink = z.object({
  n: number,
  signKey: base64url(32),
  entryHash: base64url(32).describe('SHA-256 of the entry and of its signature by the identity key'),
  signature: signature.describe('by the signing key of entry n - 1; by its own where n is 1'),
})
export type BrowserLink = z.output<typeof browserLink>

/** The number of links that a browser keeps for a server that was restored from a backup. */
export const maxKeptLinks = 64

/** The signed removal of a browser. */
export const browserRemoval = z.object({ userId: id, browserId: id, createdAt: time, signature })
export type BrowserRemoval = z.output<typeof browserRemoval>

/** The pair of the recovery key. Seeds are sealed to it as to a browser whose id is that of the user. */
export const recoveryPair = z.object({ kemKey, signature })
export type RecoveryPair = z.output<typeof recoveryPair>

/** "Only approved browsers" on or off, as the identity key signed it last. */
export const browserMode = z.object({
  onlyApproved: z.boolean().describe('seeds of epochs are sealed to listed browsers, not under the account key'),
  n: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .describe('counts the changes; 0: never changed'),
  signature: signature.optional().describe('absent where it was never changed'),
})
export type BrowserMode = z.output<typeof browserMode>

/** The mode in force, or the next one. */
export const signedMode = browserMode.required().extend({ n: number })
export type SignedMode = z.output<typeof signedMode>

/** The seed of epoch `n`, sealed to a browser. */
export const sealedSeed = z.object({ n: number, browserId: id, sealed: base64url(1168) })
export type SealedSeed = z.output<typeof sealedSeed>

/** The server lets no account have more living epochs (server/src/features/keys/epochs.ts): a call can name all. */
export const maxLiveEpochs = 64

/** For every live epoch and each listed browser, and for the recovery pair. */
const maxSeeds = maxLiveEpochs * (limits.browsers + 1)
export const sealedSeeds = z.array(sealedSeed).max(maxSeeds)

/** The size of the largest body with seeds. */
export const seedsBytes = 1536 * 1024

/** The numbers of the listed browsers' entries, for compare-and-set. */
export const listedBrowsers = z
  .array(browserEntry.pick({ browserId: true, n: true }))
  .max(limits.browsers)
  .describe('the whole list that the caller has sealed to; BROWSERS_CHANGED if it is another by now')
export type ListedBrowsers = z.output<typeof listedBrowsers>

/** Proves to the server which browser a session belongs to. */
export const sessionSignature = signature.describe('by the signing key of the newest entry: this session is its own')

/** The next entry of a browser, in the place of the one before. */
export const browserRenewal = z.object({
  entry: browserEntry,
  links: z
    .array(browserLink)
    .max(maxKeptLinks)
    .optional()
    .describe('of the entries before it that the server lacks, after a restored backup'),
  seen: z
    .array(number)
    .max(maxLiveEpochs)
    .describe('epochs whose seeds are sealed to this browser; BROWSERS_CHANGED if another has sealed more by now'),
  seeds: z.array(sealedSeed).max(maxLiveEpochs).describe('in the place of all that were sealed to this browser'),
  sessionSignature,
})
export type BrowserRenewal = z.output<typeof browserRenewal>

/** The listed browsers and the recovery pair that the caller knew when it sealed seeds, for compare-and-set. */
export const sealedTo = {
  listed: listedBrowsers,
  recovery: signature.describe('of the recovery pair that the caller has sealed to; BROWSERS_CHANGED as for `listed`'),
}
export interface SealedTo {
  listed: ListedBrowsers
  recovery: string
}

/** The seeds of published epochs, sealed to every listed browser and to the recovery pair. */
export const sealing = z.object({ renewal: browserRenewal, ...sealedTo, seeds: sealedSeeds })
export type Sealing = z.output<typeof sealing>

/** The part of one's own keys that the list of browsers adds, for the browser that asks. */
export const browserKeys = z.object({
  mode: browserMode,
  isModeRequired: z.boolean().describe('the organization requires "Only approved browsers"'),
  isPublicationDue: z.boolean().describe('a browser was removed, or the mode switched on, since the last publication'),
  own: browserEntry.optional().describe('the newest entry of this browser, also while it is not listed'),
  isListed: z.boolean(),
  isApproved: z.boolean().describe('the user has approved this browser, and it lacks no living seed'),
  isBound: z.boolean().describe('this session belongs to this browser'),
  browsers: z.array(browserEntry).max(limits.browsers).describe('those listed'),
  removed: z.array(browserRemoval).max(limits.removedBrowsers).describe('the newest'),
  recovery: recoveryPair,
})
export type BrowserKeys = z.output<typeof browserKeys>
