import { keys as contract, maxContactsPerCall, type ContactIdentity, type ContactKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { contactFingerprint, verifyEpoch } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { CallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import { loadLazily } from '../transport/lazy.ts'
import type { Keyring } from '../keys/keyring.ts'
import { absenceOf, presentSince } from './absence.ts'
import { acceptKey, firstPin, pause, resume, unverify, verify } from './pinChanges.ts'
import type { Pin } from './pinList.ts'
import type { NewContact, Pins } from './pins.ts'
import { type ContactEpochs, isOlderEpoch } from '../keys/rollback.ts'
import type { TrustState } from '../types.ts'
import type { Questions } from './questions.ts'
import type { Contact, Contacts } from './types.ts'

const safetyNumbers = loadLazily(() => import('@privity/e2ee/safetyNumber'))

/** The server is asked for a new epoch of a contact who is away at most this often. */
const askAgainMs = 60_000

export function createContacts(deps: {
  call: Call
  clock: Clock
  keyring: Keyring
  pins: Pins
  contactEpochs: ContactEpochs
  questions: Questions
  /** A contact's key has changed, or a pin was changed here. */
  onChange: () => void
  /** The server returns another key than the accepted one. */
  onKeyChange: (connectionId: string, identityKey: string) => void
}): Contacts {
  const { call, clock, keyring, pins, contactEpochs, questions } = deps
  const known = new Map<string, Promise<ContactKeys>>()
  const last = new Map<string, ContactKeys>()
  const askedAt = new Map<string, number>()

  /**
   * Accepts the server's keys. If a later epoch of the same identity key was seen that takes the place of the given
   * one, throws KEY_OLD, or CONTACT_AWAY where the given one has not begun.
   */
  function acceptResponse(connectionId: string, keys: ContactKeys): ContactKeys {
    if (keys.epoch.userId !== keys.userId) throw new CallError('RESPONSE_UNREADABLE')
    const before = last.get(connectionId)
    const sameKey = before?.identityKey === keys.identityKey && before.userId === keys.userId
    const seen = [sameKey ? before.epoch : undefined, contactEpochs.highest(keys.userId, keys.identityKey)]
    if (seen.some((each) => isOlderEpoch(keys.epoch, each, clock.now()))) {
      // The given epoch has not begun where a server that was ahead destroyed the one of this time: it gives the next.
      const hasBegun = keys.epoch.startsAt - limits.epochGrace <= clock.now()
      throw new CallError(hasBegun ? 'KEY_OLD' : 'CONTACT_AWAY')
    }
    last.set(connectionId, keys)
    if (before && !sameKey) deps.onChange()
    return keys
  }

  /** Whether the epoch that was given is not the one of this time, so that the server may have another by now. */
  function isOutdated(connectionId: string): boolean {
    const now = clock.now()
    const keys = last.get(connectionId)
    if (!keys || (keys.epoch.startsAt <= now && now < keys.epoch.endsAt)) return false
    return now - (askedAt.get(connectionId) ?? -Infinity) >= askAgainMs
  }

  function keysOf(connectionId: string): Promise<ContactKeys> {
    const before = known.get(connectionId)
    if (before && !isOutdated(connectionId)) return before
    askedAt.set(connectionId, clock.now())
    const response = call(contract.getContactKeys, { params: { id: connectionId } }).then((keys) =>
      acceptResponse(connectionId, keys),
    )
    known.set(connectionId, response)
    response.catch(() => known.delete(connectionId))
    return response
  }

  function pinOf(connectionId: string): Pin | undefined {
    const pinnedId = pins.participantOf(connectionId)
    return pinnedId === undefined ? undefined : pins.get(pinnedId)
  }

  const verifyKeys = ({ identityKey, epoch }: ContactKeys) =>
    verifyEpoch(identityKey, epoch).catch((cause: unknown) => {
      throw new CallError('KEYS_FORGED', { cause })
    })

  /** Remembers signed epochs only: an invented higher number would make every real epoch count as old. */
  async function saveEpoch({ userId, identityKey, epoch }: ContactKeys): Promise<void> {
    const { n, createdAt, startsAt } = epoch
    if (n <= (contactEpochs.highest(userId, identityKey)?.n ?? 0)) return
    const isSigned = await verifyEpoch(identityKey, epoch).then(
      () => true,
      () => false,
    )
    // If saving fails, this page still knows it.
    if (isSigned) await contactEpochs.raise(userId, { identityKey, n, createdAt, startsAt }).catch(() => {})
  }

  async function get(connectionId: string): Promise<Contact> {
    const keys = await keysOf(connectionId)
    const { identityKey } = keys
    const pinnedId = pins.participantOf(connectionId)
    const userId = pinnedId ?? keys.userId
    const pin = pins.get(userId)
    if (!pin && pins.suspect) return { userId, keys, pin, changed: true }
    const changed = userId !== keys.userId || (pin !== undefined && pin.identityKey !== identityKey)
    if (changed) {
      deps.onKeyChange(connectionId, identityKey)
      return { userId, keys, pin, changed }
    }
    if (pin && pinnedId) {
      await saveEpoch(keys)
      return { userId, keys, pin, changed }
    }
    await verifyKeys(keys)
    const pinned = await pins.change(userId, connectionId, (before) => before ?? firstPin(identityKey, clock.now()))
    if (pinned.identityKey === identityKey) await saveEpoch(keys)
    return { userId, keys, pin: pinned, changed: pinned.identityKey !== identityKey }
  }

  async function verifyNewContact(
    requestedIds: readonly string[],
    entry: { connectionId: string; keys: ContactKeys },
  ): Promise<NewContact[]> {
    const { connectionId, keys } = entry
    if (!requestedIds.includes(connectionId)) return []
    await verifyKeys(acceptResponse(connectionId, keys))
    return [{ userId: keys.userId, connectionId, pin: firstPin(keys.identityKey, clock.now()) }]
  }

  /** Pins the keys of contacts that have none yet, as `get` does for one: few calls, and one change of the list. */
  async function pinNewContacts(connectionIds: readonly string[]): Promise<void> {
    if (pins.suspect) return
    const newContacts: NewContact[] = []
    try {
      for (let start = 0; start < connectionIds.length; start += maxContactsPerCall) {
        const requestedIds = connectionIds.slice(start, start + maxContactsPerCall)
        const found = await call(contract.listContactKeys, { query: { connections: requestedIds.join(',') } })
        // A contact whose keys are inconsistent is skipped: opening that conversation shows why.
        newContacts.push(
          ...(await Promise.all(found.map((each) => verifyNewContact(requestedIds, each).catch(() => [])))).flat(),
        )
      }
    } finally {
      await pins.addNew(newContacts)
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

  const digitsOf = (userId: string, identityKey: string) =>
    safetyNumbers.safetyNumber(
      { userId: keyring.userId, identityKey: keyring.identity.publicKey },
      { userId, identityKey },
    )

  /** Throws KEY_CHANGED unless the user has seen the safety number of this key: it may have changed since. */
  async function checkShown(shown: string, userId: string, identityKey: string): Promise<void> {
    if (shown !== (await digitsOf(userId, identityKey))) throw new CallError('KEY_CHANGED')
  }

  /** Loaded when a key has changed, because few have. */
  async function isConfirmedByFormer({ userId, keys, pin }: Contact): Promise<boolean> {
    if (!pin) return false
    const { isConfirmedByFormer: isConfirmed } = await import('@privity/e2ee/nextIdentity')
    return isConfirmed(pin.identityKey, { userId, identityKey: keys.identityKey }, keys.former)
  }

  const stateOf = ({ changed, pin }: Pick<Contact, 'changed' | 'pin'>): TrustState =>
    changed ? 'changed' : pin?.verified ? 'verified' : pin?.linked ? 'linked' : 'unverified'

  function identityState({ connectionId, userId, identityKey }: ContactIdentity): TrustState {
    const pinnedId = pins.participantOf(connectionId)
    const pin = pins.get(pinnedId ?? userId)
    const changed =
      (pinnedId !== undefined && pinnedId !== userId) || (pin ? pin.identityKey !== identityKey : pins.suspect)
    if (changed) {
      known.delete(connectionId)
      if (pin) deps.onKeyChange(connectionId, identityKey)
    }
    return stateOf({ changed, pin })
  }

  return {
    get,
    async getForSending(connectionId) {
      const { pin, ...contact } = await get(connectionId)
      if (contact.changed || !pin) throw new CallError('KEY_CHANGED')
      if (pin.paused) throw new CallError('PAUSED')
      const question = await questions.about({ userId: contact.userId, connectionId, pin })
      if (question) throw new CallError(question.code)
      return { ...contact, pin }
    },
    userIdOf: async (connectionId) => pins.participantOf(connectionId) ?? (await get(connectionId)).userId,
    accepted(connectionId) {
      const userId = pins.participantOf(connectionId)
      const pin = pinOf(connectionId)
      return userId !== undefined && pin ? { userId, pin } : undefined
    },
    acceptedKey: (connectionId) => pinOf(connectionId)?.identityKey,
    hasAcceptedKeyAfter(connectionId, time) {
      const pin = pinOf(connectionId)
      return pin !== undefined && time < pin.since
    },
    presentSince(connectionId) {
      const keys = last.get(connectionId)
      return keys ? presentSince(keys.epoch) : -Infinity
    },
    invalidate: (connectionId) => void known.delete(connectionId),
    invalidateUser(userId) {
      for (const [connectionId, keys] of last) if (keys.userId === userId) known.delete(connectionId)
    },
    invalidateAll: () => known.clear(),
    async trust(connectionId) {
      const contact = await fresh(connectionId)
      const { keys, pin, changed } = contact
      const digits = await digitsOf(keys.userId, keys.identityKey)
      return {
        state: stateOf(contact),
        safetyNumber: digits,
        confirmedByFormer: changed && (await isConfirmedByFormer(contact)),
        paused: pin?.paused ?? false,
        question: changed || !pin ? undefined : await questions.about({ userId: contact.userId, connectionId, pin }),
        absence: absenceOf(keys.epoch, clock.now()),
      }
    },
    async states() {
      const identities = await call(contract.listIdentities, {})
      pins.connected(identities.map(({ connectionId }) => connectionId))
      await pinNewContacts(
        identities
          .filter(({ connectionId }) => pins.participantOf(connectionId) === undefined)
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
        return verify(pin, questions.nameOf(connectionId), clock.now())
      })
      await questions.meet({ userId, connectionId })
    },
    ownFingerprint: () => contactFingerprint({ userId: keyring.userId, identityKey: keyring.identity.publicKey }),
    async confirmByLink(connectionId, fingerprint) {
      // Compared before anything is pinned: a false key must not count as the first one seen.
      const keys = await keysOf(connectionId)
      const { userId, identityKey } = keys
      if (contactFingerprint({ userId, identityKey }) !== fingerprint) return false
      await verifyKeys(keys)
      if (pins.suspect && !pins.get(userId)) throw new CallError('KEY_CHANGED')
      /** Whether another call has been given another contact or key for this new connection. */
      let isOther = false
      await pins.change(userId, connectionId, (before = firstPin(identityKey, clock.now())) => {
        const pinnedId = pins.participantOf(connectionId)
        isOther = pinnedId !== undefined && (pinnedId !== userId || before.identityKey !== identityKey)
        return before.identityKey === identityKey ? { ...before, linked: true } : before
      })
      deps.onChange()
      return !isOther
    },
    async confirm(connectionId, name) {
      const { userId } = await get(connectionId)
      await questions.meet({ userId, connectionId })
      if (name !== undefined) await change(connectionId, (before) => ({ ...before, name }))
      else deps.onChange()
    },
    unverify: (id) => change(id, (pin) => unverify(pin, clock.now())),
    async accept(connectionId, shown) {
      const { keys } = await fresh(connectionId)
      const { userId, identityKey } = keys
      await checkShown(shown, userId, identityKey)
      await verifyKeys(keys)
      await pins.change(userId, connectionId, (before) => acceptKey(before, identityKey, clock.now()))
      await questions.meet({ userId, connectionId })
      deps.onChange()
    },
    pause: (id, paused) => change(id, (pin) => (paused ? pause : resume)(pin, clock.now())),
  }
}
