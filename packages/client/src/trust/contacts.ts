import { keys as contract, mostPeers, type PeerIdentity, type PeerKeys } from '@privity/contract/keys'
import { safetyNumber, verifyEpoch } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { CallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Pin } from './pinList.ts'
import type { Met, Pins } from './pins.ts'
import type { SeenEpochs } from '../keys/contactEpochs.ts'
import type { Trust, TrustState } from '../types.ts'

/** The other party of a connection: the keys the server gives, and what the user has accepted. */
export interface Peer {
  /** As accepted; as the server says where nothing is accepted yet. */
  userId: string
  keys: PeerKeys
  /** Absent only where `changed`. */
  pin: Pin | undefined
  /** The server gives another person or identity key than the accepted one. */
  changed: boolean
}

export interface Peers {
  get(connectionId: string): Promise<Peer>
  /** Who the other party is: as accepted, or as the server says where nothing is accepted yet. */
  party(connectionId: string): Promise<string>
  /** The accepted identity key, as this browser knows it now. */
  acceptedKey(connectionId: string): string | undefined
  /** Whether a changed key of theirs was accepted after this time. */
  acceptedAnotherAfter(connectionId: string, time: number): boolean
  /** Keys are asked for again at the next use. */
  forget(connectionId: string): void
  forgetUser(userId: string): void
  forgetAll(): void
  trust(connectionId: string): Promise<Trust>
  /** The seal of every connection whose other party has keys, in a call or two however many they are. */
  states(): Promise<Map<string, TrustState>>
  /** `shown`: the safety number that was on the screen. Throws KEY_CHANGED where it is not that of the key now. */
  markVerified(connectionId: string, shown: string): Promise<void>
  unverify(connectionId: string): Promise<void>
  /** Accepts the changed key, if it is the one of the safety number that was on the screen; it is not verified. */
  accept(connectionId: string, shown: string): Promise<void>
  pause(connectionId: string, paused: boolean): Promise<void>
}

const mostPrevious = 8

export function createPeers(deps: {
  call: Call
  clock: Clock
  keyring: Keyring
  pins: Pins
  seenEpochs: SeenEpochs
  /** A key turned out to be another one, or a pin was changed here. */
  onChange: () => void
  /** The server gives another key for an accepted contact. */
  onKeyChange: (connectionId: string, identityKey: string) => void
}): Peers {
  const { call, clock, keyring, pins, seenEpochs } = deps
  const known = new Map<string, Promise<PeerKeys>>()
  const last = new Map<string, PeerKeys>()

  /** What the server gives for a connection, as far as it does not contradict what it gave before. */
  function take(connectionId: string, keys: PeerKeys): PeerKeys {
    if (keys.epoch.userId !== keys.userId) throw new CallError('UNREADABLE')
    const before = last.get(connectionId)
    const sameKey = before?.identityKey === keys.identityKey && before.userId === keys.userId
    const highest = Math.max(sameKey ? before.epoch.n : 0, seenEpochs.highest(keys.userId, keys.identityKey))
    if (keys.epoch.n < highest) throw new CallError('KEY_OLD')
    last.set(connectionId, keys)
    if (before && !sameKey) deps.onChange()
    return keys
  }

  function keysOf(connectionId: string): Promise<PeerKeys> {
    const before = known.get(connectionId)
    if (before) return before
    const asked = call(contract.getPeer, { params: { id: connectionId } }).then((keys) => take(connectionId, keys))
    known.set(connectionId, asked)
    asked.catch(() => known.delete(connectionId))
    return asked
  }

  function pinOf(connectionId: string): Pin | undefined {
    const party = pins.partyOf(connectionId)
    return party === undefined ? undefined : pins.get(party)
  }

  const firstPin = (identityKey: string): Pin => ({
    identityKey,
    previous: [],
    verified: false,
    paused: false,
    since: clock.now(),
  })

  const verifyKeys = ({ identityKey, epoch }: PeerKeys) =>
    verifyEpoch(identityKey, epoch).catch((cause: unknown) => {
      throw new CallError('KEYS_FORGED', { cause })
    })

  /** Only what its owner has signed counts as seen: the server could lock a contact out with any number. */
  async function keepEpoch({ userId, identityKey, epoch }: PeerKeys): Promise<void> {
    if (epoch.n <= seenEpochs.highest(userId, identityKey)) return
    const isSigned = await verifyEpoch(identityKey, epoch).then(
      () => true,
      () => false,
    )
    // A device that cannot keep it still knows it until the page is left.
    if (isSigned) await seenEpochs.raise(userId, { identityKey, n: epoch.n }).catch(() => {})
  }

  async function get(connectionId: string): Promise<Peer> {
    const keys = await keysOf(connectionId)
    const { identityKey } = keys
    const party = pins.partyOf(connectionId)
    const userId = party ?? keys.userId
    const pin = pins.get(userId)
    if (!pin && pins.suspect) return { userId, keys, pin, changed: true }
    const changed = userId !== keys.userId || (pin !== undefined && pin.identityKey !== identityKey)
    if (changed) {
      deps.onKeyChange(connectionId, identityKey)
      return { userId, keys, pin, changed }
    }
    if (pin && party) {
      await keepEpoch(keys)
      return { userId, keys, pin, changed }
    }
    await verifyKeys(keys)
    const pinned = await pins.change(userId, connectionId, (before) => before ?? firstPin(identityKey))
    if (pinned.identityKey === identityKey) await keepEpoch(keys)
    return { userId, keys, pin: pinned, changed: pinned.identityKey !== identityKey }
  }

  async function readMet(asked: readonly string[], given: { connectionId: string; keys: PeerKeys }): Promise<Met[]> {
    const { connectionId, keys } = given
    if (!asked.includes(connectionId)) return []
    await verifyKeys(take(connectionId, keys))
    return [{ userId: keys.userId, connectionId, pin: firstPin(keys.identityKey) }]
  }

  /** As `get` does where nothing is accepted yet, for many connections: few calls, and one change of the list. */
  async function meet(connectionIds: readonly string[]): Promise<void> {
    if (pins.suspect) return
    const met: Met[] = []
    try {
      for (let first = 0; first < connectionIds.length; first += mostPeers) {
        const asked = connectionIds.slice(first, first + mostPeers)
        const found = await call(contract.listPeers, { query: { connections: asked.join(',') } })
        // One whose keys do not fit together is left out: a look at that connection says why.
        met.push(...(await Promise.all(found.map((each) => readMet(asked, each).catch(() => [])))).flat())
      }
    } finally {
      await pins.meet(met)
    }
  }

  const fresh = (connectionId: string) => {
    known.delete(connectionId)
    return get(connectionId)
  }

  async function change(connectionId: string, apply: (pin: Pin) => Pin): Promise<void> {
    const { userId, pin } = await get(connectionId)
    if (!pin) throw new CallError('KEY_CHANGED')
    await pins.change(userId, connectionId, (before) => apply(before ?? pin))
    deps.onChange()
  }

  /** The pin with this key as the accepted one; a different one is not verified yet. */
  function accepted(pin: Pin | undefined, identityKey: string): Pin {
    if (!pin) return firstPin(identityKey)
    if (pin.identityKey === identityKey) return pin
    const previous = [pin.identityKey, ...pin.previous].slice(0, mostPrevious)
    return { ...pin, identityKey, previous, verified: false, since: clock.now() }
  }

  const digitsOf = (userId: string, identityKey: string) =>
    safetyNumber({ userId: keyring.userId, identityKey: keyring.identity.publicKey }, { userId, identityKey })

  /** What the user has looked at is what counts, whatever the server has given since. */
  async function checkShown(shown: string, userId: string, identityKey: string): Promise<void> {
    if (shown !== (await digitsOf(userId, identityKey))) throw new CallError('KEY_CHANGED')
  }

  const stateOf = ({ changed, pin }: Pick<Peer, 'changed' | 'pin'>): TrustState =>
    changed ? 'changed' : pin?.verified ? 'verified' : 'unverified'

  function identityState({ connectionId, userId, identityKey }: PeerIdentity): TrustState {
    const party = pins.partyOf(connectionId)
    const pin = pins.get(party ?? userId)
    const changed = (party !== undefined && party !== userId) || (pin ? pin.identityKey !== identityKey : pins.suspect)
    if (changed) {
      known.delete(connectionId)
      if (pin) deps.onKeyChange(connectionId, identityKey)
    }
    return stateOf({ changed, pin })
  }

  return {
    get,
    party: async (connectionId) => pins.partyOf(connectionId) ?? (await get(connectionId)).userId,
    acceptedKey: (connectionId) => pinOf(connectionId)?.identityKey,
    acceptedAnotherAfter(connectionId, time) {
      const pin = pinOf(connectionId)
      return pin !== undefined && pin.previous.length > 0 && time < pin.since
    },
    forget: (connectionId) => void known.delete(connectionId),
    forgetUser(userId) {
      for (const [connectionId, keys] of last) if (keys.userId === userId) known.delete(connectionId)
    },
    forgetAll: () => known.clear(),
    async trust(connectionId) {
      const peer = await fresh(connectionId)
      const { userId, identityKey } = peer.keys
      const digits = await digitsOf(userId, identityKey)
      return { state: stateOf(peer), safetyNumber: digits, paused: peer.pin?.paused ?? false }
    },
    async states() {
      const identities = await call(contract.listIdentities, {})
      pins.connected(identities.map(({ connectionId }) => connectionId))
      await meet(
        identities
          .filter(({ connectionId }) => pins.partyOf(connectionId) === undefined)
          .map(({ connectionId }) => connectionId),
      )
      return new Map(identities.map((each) => [each.connectionId, identityState(each)]))
    },
    async markVerified(connectionId, shown) {
      const { userId, keys, changed } = await get(connectionId)
      if (changed) throw new CallError('KEY_CHANGED')
      await checkShown(shown, userId, keys.identityKey)
      await change(connectionId, (pin) => {
        // Another browser may have accepted another key meanwhile.
        if (pin.identityKey !== keys.identityKey) throw new CallError('KEY_CHANGED')
        return { ...pin, verified: true, paused: false }
      })
    },
    unverify: (id) => change(id, (pin) => ({ ...pin, verified: false })),
    async accept(connectionId, shown) {
      const { keys } = await fresh(connectionId)
      const { userId, identityKey } = keys
      await checkShown(shown, userId, identityKey)
      await verifyKeys(keys)
      await pins.change(userId, connectionId, (before) => accepted(before, identityKey))
      deps.onChange()
    },
    pause: (id, paused) => change(id, (pin) => ({ ...pin, paused, verified: pin.verified && !paused })),
  }
}
