import { keys as contract, type PeerKeys } from '@privity/contract/keys'
import { safetyNumber, verifyEpoch } from '@privity/e2ee'
import type { Call } from './call.ts'
import { CallError } from './callError.ts'
import type { Clock } from './clock.ts'
import type { Keyring } from './keyring.ts'
import type { Pin } from './pinList.ts'
import type { Pins } from './pins.ts'
import type { Trust, TrustState } from './types.ts'

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
  /** Keys are asked for again at the next use. */
  forget(connectionId: string): void
  forgetUser(userId: string): void
  forgetAll(): void
  trust(connectionId: string): Promise<Trust>
  markVerified(connectionId: string): Promise<void>
  unverify(connectionId: string): Promise<void>
  /** Accepts the changed key; it is not verified. */
  accept(connectionId: string): Promise<void>
  pause(connectionId: string, paused: boolean): Promise<void>
}

const mostPrevious = 8

export function createPeers(deps: {
  call: Call
  clock: Clock
  keyring: Keyring
  pins: Pins
  /** A key turned out to be another one, or a pin was changed here. */
  onChange: () => void
}): Peers {
  const { call, clock, keyring, pins } = deps
  const known = new Map<string, Promise<PeerKeys>>()
  const last = new Map<string, PeerKeys>()

  async function ask(connectionId: string): Promise<PeerKeys> {
    const keys = await call(contract.getPeer, { params: { id: connectionId } })
    if (keys.epoch.userId !== keys.userId) throw new CallError('UNREADABLE')
    const before = last.get(connectionId)
    const sameKey = before?.identityKey === keys.identityKey && before.userId === keys.userId
    if (sameKey && keys.epoch.n < before.epoch.n) throw new CallError('KEY_OLD')
    last.set(connectionId, keys)
    if (before && !sameKey) deps.onChange()
    return keys
  }

  function keysOf(connectionId: string): Promise<PeerKeys> {
    const before = known.get(connectionId)
    if (before) return before
    const asked = ask(connectionId)
    known.set(connectionId, asked)
    asked.catch(() => known.delete(connectionId))
    return asked
  }

  const firstPin = (identityKey: string): Pin => ({
    identityKey,
    previous: [],
    verified: false,
    paused: false,
    since: clock.now(),
  })

  async function get(connectionId: string): Promise<Peer> {
    const keys = await keysOf(connectionId)
    const { identityKey } = keys
    const party = pins.partyOf(connectionId)
    const userId = party ?? keys.userId
    const pin = pins.get(userId)
    if (!pin && pins.suspect) return { userId, keys, pin, changed: true }
    const changed = userId !== keys.userId || (pin !== undefined && pin.identityKey !== identityKey)
    if (changed || (pin && party)) return { userId, keys, pin, changed }
    await verifyEpoch(identityKey, keys.epoch)
    const pinned = await pins.change(userId, connectionId, (before) => before ?? firstPin(identityKey))
    return { userId, keys, pin: pinned, changed: pinned.identityKey !== identityKey }
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

  const stateOf = ({ changed, pin }: Peer): TrustState =>
    changed ? 'changed' : pin?.verified ? 'verified' : 'unverified'

  return {
    get,
    forget: (connectionId) => void known.delete(connectionId),
    forgetUser(userId) {
      for (const [connectionId, keys] of last) if (keys.userId === userId) known.delete(connectionId)
    },
    forgetAll: () => known.clear(),
    async trust(connectionId) {
      const peer = await fresh(connectionId)
      const me = { userId: keyring.userId, identityKey: keyring.identity.publicKey }
      const { userId, identityKey } = peer.keys
      const digits = await safetyNumber(me, { userId, identityKey })
      return { state: stateOf(peer), safetyNumber: digits, paused: peer.pin?.paused ?? false }
    },
    async markVerified(connectionId) {
      if ((await get(connectionId)).changed) throw new CallError('KEY_CHANGED')
      await change(connectionId, (pin) => ({ ...pin, verified: true, paused: false }))
    },
    unverify: (id) => change(id, (pin) => ({ ...pin, verified: false })),
    async accept(connectionId) {
      const { userId, identityKey, epoch } = (await fresh(connectionId)).keys
      await verifyEpoch(identityKey, epoch)
      await pins.change(userId, connectionId, (before) => accepted(before, identityKey))
      deps.onChange()
    },
    pause: (id, paused) => change(id, (pin) => ({ ...pin, paused, verified: pin.verified && !paused })),
  }
}
