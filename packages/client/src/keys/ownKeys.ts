import type { BrowserMode } from '@privity/contract/browserKeys'
import type { Endpoint, Sent } from '@privity/contract/endpoint'
import { keys, type OwnEpoch, type OwnKeys } from '@privity/contract/keys'
import { verifyEpoch } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import type { Call } from '../transport/call.ts'
import { CallError } from '../transport/callError.ts'
import { identityKeyAt, type OwnIdentity } from './ownIdentity.ts'
import { type LastSeen, readLastSeen } from './rollback.ts'
import { readBrowser } from './browsers/storedBrowser.ts'

const neverChanged: BrowserMode = { onlyApproved: false, n: 0 }

/** The user's own keys, with the newest mode that this browser has seen. */
export interface LoadedOwnKeys extends OwnKeys {
  /** Whether the server shows an older mode, to this browser or to another. */
  isModeOlder?: boolean
}

/** The list on the device is newer where the page has changed it since it loaded the keys. */
const withNewestPins = (keys: OwnKeys, seen: OwnKeys['pins'] | undefined): OwnKeys =>
  seen && seen.version > keys.pins.version ? { ...keys, pins: seen } : keys

/** The user's own keys as the server has them, for the page that is loaded next. */
export interface OwnKeysCopy {
  /** `call`, which notes what it loads and publishes. */
  call: Call
  /** Removes the seeds that are no longer held. */
  prune(holds: (n: number) => boolean): OwnKeys
}

type Published = Sent<typeof keys.publishEpochs>['body']

export function copyOwnKeys(call: Call, initial: OwnKeys): OwnKeysCopy {
  let copy = initial
  /** Those that are sealed to browsers are loaded after they were published. */
  function add({ epochs, sealing }: Published): void {
    if (!sealing) copy = { ...copy, epochs: [...copy.epochs, ...epochs] }
  }
  async function noted(endpoint: Endpoint, sent: { body?: unknown }): Promise<unknown> {
    const result = await call(endpoint, sent as Sent<Endpoint>)
    if (endpoint === keys.getOwn) copy = result as OwnKeys
    if (endpoint === keys.publishEpochs) add(sent.body as Published)
    return result
  }
  const withoutSeed = ({ wrappedSeed: _wrapped, sealedSeed: _sealed, ...epoch }: OwnEpoch): OwnEpoch => epoch
  return {
    call: noted as Call,
    prune: (holds) =>
      (copy = { ...copy, epochs: copy.epochs.map((each) => (holds(each.n) ? each : withoutSeed(each))) }),
  }
}

/**
 * Loads the user's own keys, with the seeds that are sealed to this browser. `handedOver`: those of the page before,
 * while the server cannot be asked.
 */
export async function loadOwnKeys(
  deps: { call: Call; device: Device },
  userId: string,
  handedOver?: OwnKeys,
): Promise<LoadedOwnKeys> {
  if (handedOver) return withNewestPins(handedOver, (await readLastSeen(deps.device, userId))?.pins)
  const browser = await readBrowser(deps.device, userId)
  const shown = await deps.call(keys.getOwn, { query: browser ? { browser: browser.browserId } : {} })
  const mode = (await readLastSeen(deps.device, userId))?.mode
  if (mode !== undefined && mode.n > shown.browsers.mode.n)
    return { ...shown, isModeOlder: true, browsers: { ...shown.browsers, mode } }
  // Another browser was shown the default mode, and has published under the account key.
  const isWrapped = shown.browsers.mode.onlyApproved && shown.epochs.some(({ wrappedSeed }) => wrappedSeed)
  return isWrapped ? { ...shown, isModeOlder: true } : shown
}

/**
 * Throws KEYS_ALTERED unless the keys belong to this identity, which has signed the mode, and their epochs are signed
 * and follow each other.
 */
export async function verifyOwnKeys(own: OwnIdentity, seen: LastSeen | undefined, received: OwnKeys): Promise<void> {
  const { publicKey } = own.identity
  const knownKey = seen?.identityKey ?? publicKey
  // The record of former identities is encrypted under the account key, so a replacement in it is the user's own.
  const isKnown = knownKey === publicKey || own.former.some((former) => former.publicKey === knownKey)
  const { userId, identityKey, epochs } = received
  if (identityKey !== publicKey || !isKnown || epochs.length === 0) throw new CallError('KEYS_ALTERED')
  for (const [index, epoch] of epochs.entries()) {
    const before = epochs[index - 1]
    if (epoch.userId !== userId || (before && before.n >= epoch.n)) throw new CallError('KEYS_ALTERED')
    // Numbers are missing where epochs that lay ahead were deleted for new ones.
    const previous = before?.n === epoch.n - 1 ? before : undefined
    const signers = [identityKeyAt(own, epoch.n), previous && identityKeyAt(own, previous.n)] as const
    await verifyEpoch(signers[0], epoch, previous, signers[1]).catch((cause: unknown) => {
      throw new CallError('KEYS_ALTERED', { cause })
    })
  }
  const { mode } = received.browsers
  const isSame = (known: BrowserMode) => known.n === mode.n && known.onlyApproved === mode.onlyApproved
  // After a restored backup a number may stand for two modes, both signed.
  if (![neverChanged, seen?.mode ?? neverChanged].some(isSame))
    await (await import('./browsers/lazyBrowsers.ts')).verifyMode(received, mode)
}
