import type {
  BrowserKeys as ContractKeys,
  BrowserLink,
  BrowserRemoval,
  ListedBrowsers,
  BrowserRenewal,
  SealedSeed,
  SealedTo,
  Sealing,
} from '@privity/contract/browserKeys'
import type { EpochKey } from '@privity/contract/keys'

/** An own epoch, its seed under the account key (default mode), sealed to this browser, or not there for it. */
export type BrowserEpoch = Pick<EpochKey, 'n' | 'createdAt' | 'startsAt' | 'endsAt'> & {
  wrappedSeed?: string | undefined
  sealedSeed?: string | undefined
}

/** The list of browsers and the epochs, as one browser sees them. */
export type BrowserKeys<Epoch> = ContractKeys & {
  epochs: readonly Epoch[]
  /** Whether the server shows an older mode than `mode`, which this browser has seen. */
  isModeOlder: boolean
}

/** The change of the mode of this number, while `after` is the newest epoch. */
export interface ModeChange {
  n: number
  after: number
}

/** Epochs in the place of all that begin at `startsAt` of the first or later, without wrapped seeds. */
export interface EpochPublication<Epoch> {
  epochs: readonly Epoch[]
  /** The number of the newest epoch that this browser knows; the server refuses where there is a newer one. */
  after: number
  sealing: Sealing
}

/** The calls of the server, each one transaction: all of it is stored, or nothing. */
export interface BrowserCalls<Epoch> {
  getKeys(browserId: string): Promise<BrowserKeys<Epoch>>
  /** The links of a browser after number `after`, oldest first; none if it is no longer listed. */
  getLinks(browserId: string, after: number): Promise<readonly BrowserLink[]>
  /** Lists this browser, or renews its entry. A list that is full loses the browser used least recently. */
  putOwn(renewal: BrowserRenewal): Promise<void>
  /** Binds this session to its browser, which is listed already. */
  bind(browserId: string, sessionSignature: string): Promise<void>
  publish(publication: EpochPublication<Epoch>): Promise<void>
  /** Stores seeds for a browser whose entry still has this number. `recoveryProof`: for this browser itself. */
  approve(to: ListedBrowsers[number], seeds: SealedSeed[], recoveryProof?: string): Promise<void>
  remove(removal: BrowserRemoval): Promise<void>
  /** Destroys every wrapped seed; refused unless `seeds` has each of them that is not `damaged`. */
  switchOn(change: ModeChange, to: SealedTo, seeds: SealedSeed[], damaged: number[]): Promise<void>
  /** Adds the wrapped seeds. What is sealed stays for those who can open it. */
  switchOff(change: ModeChange, wrapped: { n: number; wrappedSeed: string }[]): Promise<void>
  getRecoverySeeds(): Promise<readonly Pick<SealedSeed, 'n' | 'sealed'>[]>
  /** Whether the error says that another browser was first: nothing was stored, and the keys are to be loaded again. */
  isConflict(error: unknown): boolean
}
