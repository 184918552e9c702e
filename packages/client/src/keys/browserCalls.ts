import type { EpochKey } from '@privity/contract/keys'
import type { BrowserEntry, BrowserRemoval, RecoveryPair } from '@privity/e2ee/browserEntry'
import type { SealedSeed } from './browserList.ts'

/** An own epoch, its seed under the account key (default mode), sealed to this browser, or not there for it. */
export type BrowserEpoch = Pick<EpochKey, 'n' | 'createdAt' | 'startsAt' | 'endsAt'> & {
  wrappedSeed?: string | undefined
  sealedSeed?: string | undefined
}

/** The part of the own keys that the list of browsers adds, as one browser sees it. */
export interface BrowserKeys {
  onlyApproved: boolean
  /** The newest entry of this browser, also while it is evicted from the list. */
  own: BrowserEntry | undefined
  isListed: boolean
  browsers: readonly BrowserEntry[]
  removed: readonly BrowserRemoval[]
  recovery: RecoveryPair
  /** In the mode "Only approved browsers": since the last publication it was switched on, or a browser removed. */
  isPublicationDue: boolean
  epochs: readonly BrowserEpoch[]
}

/** Numbers of the listed browsers' entries. The server refuses where they are others by then. */
export type ListedBrowsers = readonly Pick<BrowserEntry, 'browserId' | 'n'>[]

/**
 * Puts the next pair of this browser in the place of the one before. `seen`: the epochs whose seeds are sealed to it as
 * far as it knows; the server refuses where one is missing, which another browser has sealed meanwhile. `seeds` takes
 * the place of all of them.
 */
export interface PairRenewal {
  entry: BrowserEntry
  seen: readonly number[]
  seeds: readonly SealedSeed[]
}

/** Epochs in the place of all that begin at `startsAt` of the first or later. */
export interface EpochPublication<Epoch> {
  onlyApproved: boolean
  epochs: readonly Epoch[]
  /** The number of the newest epoch that this browser knows; the server refuses where there is a newer one. */
  after: number
  /** Present in the mode "Only approved browsers", where no epoch carries a wrapped seed. */
  sealing?: { renewal: PairRenewal; listed: ListedBrowsers; seeds: readonly SealedSeed[] } | undefined
}

/** The calls of the server, each one transaction: all of it is stored, or nothing. */
export interface BrowserCalls<Epoch> {
  getKeys(browserId: string): Promise<BrowserKeys>
  /** Lists this browser, or renews its pair. A list that is full loses the browser used least recently. */
  putOwn(renewal: PairRenewal): Promise<void>
  publish(publication: EpochPublication<Epoch>): Promise<void>
  /** Adds seeds for a browser whose entry still has this number. */
  approve(to: ListedBrowsers[number], seeds: readonly SealedSeed[]): Promise<void>
  remove(removal: BrowserRemoval): Promise<void>
  /** Destroys every wrapped seed; refused unless `seeds` has each of them for each listed browser. */
  switchOn(listed: ListedBrowsers, seeds: readonly SealedSeed[]): Promise<void>
  /** Adds the wrapped seeds. What is sealed stays for those who can open it. */
  switchOff(after: number, wrapped: readonly { n: number; wrappedSeed: string }[]): Promise<void>
  getRecoverySeeds(): Promise<readonly Pick<SealedSeed, 'n' | 'sealed'>[]>
  /** Whether the error says that another browser was first: nothing was stored, and the keys are to be loaded again. */
  isConflict(error: unknown): boolean
}
