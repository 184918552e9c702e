import { keys as contract, pinListLength } from '@privity/contract/keys'
import type { Call } from '../transport/call.ts'
import { type Alarm, isCallError } from '../transport/callError.ts'
import type { Device } from '../device/device.ts'
import type { Keyring } from '../keys/keyring.ts'
import { noPins, openPins as openList, type Pin, type PinList, sealPins } from './pinList.ts'
import { type StoredPins, getSeen, keepSeen } from '../keys/rollback.ts'
import { mergePins, withoutGone } from './pinMerge.ts'

/** The user's pin list, sealed under the account key and shared by all of his browsers. */
export interface Pins {
  /** The server's list is missing, older than one seen here, or not the user's: no new key is accepted unseen. */
  readonly suspect: boolean
  get(userId: string): Pin | undefined
  /** Who the other party of a connection is, once its key was accepted. */
  partyOf(connectionId: string): string | undefined
  /** Changes one pin in the newest list, whoever else changes it at the same time. */
  change(userId: string, connectionId: string, change: (before: Pin | undefined) => Pin): Promise<Pin>
  /** Accepts the keys of several people at once, where nothing was accepted before. */
  meet(met: readonly Met[]): Promise<void>
  /** Which connections there are: the parties of others give way when the list has no room left. */
  connected(connectionIds: readonly string[]): void
  /** Asks the server again; whether anything is different. */
  refresh(): Promise<boolean>
}

/** Somebody whose key this user sees for the first time, at the other end of a connection. */
export interface Met {
  userId: string
  connectionId: string
  pin: Pin
}

const attempts = 6

export async function openPins(
  deps: { call: Call; device: Device; keyring: Keyring; alarm: Alarm },
  first: StoredPins,
): Promise<Pins> {
  const { call, device, keyring, alarm } = deps
  const { userId, accountKey, identity } = keyring
  /** The server's version, for compare-and-set. */
  let stored = 0
  /** What `list` was opened from. */
  let known: StoredPins = { version: 0, sealed: '' }
  let list = noPins
  let suspect = false
  let isOpen = false
  /** The server's list has lost what is in `list`. */
  let isLacking = false
  let connections: ReadonlySet<string> | undefined

  const open = (given: StoredPins) => openList(accountKey, userId, given).catch(() => undefined)
  const keep = (pins: StoredPins) => keepSeen(device, userId, { identityKey: identity.publicKey, pins })

  /** Another tab may have kept a newer list, which the server must not take back unseen. */
  async function keepNewest(pins: StoredPins): Promise<void> {
    const seen = (await getSeen(device, userId))?.pins
    if (seen === undefined || seen.version <= pins.version) await keep(pins)
  }

  function goBy(opened: PinList, from: StoredPins): void {
    list = opened
    known = from
  }

  async function take(given: StoredPins): Promise<void> {
    const isKnown = given.version > 0 && given.version === known.version && given.sealed === known.sealed
    const opened = given.version > 0 && !isKnown ? await open(given) : undefined
    // It may be sealed under keys that took the place of these in another tab: that ends here with a refusal.
    if (!opened && !isKnown && isOpen) await keyring.refresh()
    // Together with the list, never before it: what is put next replaces this version.
    stored = given.version
    if (isKnown) return
    suspect = !opened || given.version < known.version
    if (suspect) return alarm(opened ? 'ACCEPTED_OLDER' : 'ACCEPTED_LOST')
    const merged = mergePins(list, opened as PinList)
    goBy(merged.list, given)
    isLacking = merged.restored
    if (merged.altered) alarm('ACCEPTED_OTHER')
    // Until it is put, only what this device has kept so far tells the next page of it.
    if (!merged.altered) await keepNewest(given)
  }

  /** Sealed as the next version, and left smaller where it has grown too long. */
  async function seal(next: PinList): Promise<{ list: PinList; from: StoredPins }> {
    const version = stored + 1
    const sealed = await sealPins(accountKey, userId, version, next)
    if (sealed.length <= pinListLength || connections === undefined) return { list: next, from: { version, sealed } }
    const list = withoutGone(next, (id) => connections?.has(id) === true)
    return { list, from: { version, sealed: await sealPins(accountKey, userId, version, list) } }
  }

  async function put(next: PinList): Promise<PinList> {
    const { list, from } = await seal(next)
    await call(contract.putPins, { body: from })
    stored = from.version
    isLacking = false
    goBy(list, from)
    await keep(from)
    return list
  }

  /** Puts what `change` makes of the newest list. */
  async function tryChange(change: (before: PinList) => PinList): Promise<PinList> {
    for (let attempt = 1; ; attempt++) {
      const next = change(list)
      try {
        return await put(next)
      } catch (error) {
        if (!isCallError(error, 'STALE_VERSION') || attempt === attempts) throw error
        await take(await call(contract.getPins, {}))
      }
    }
  }

  const withPin = ({ pins, parties }: PinList, { userId: contact, connectionId, pin }: Met): PinList => ({
    pins: { ...pins, [contact]: pin },
    parties: { ...parties, [connectionId]: contact },
  })

  /** For the other browsers of this user. Where it fails the alarm was given, and the next change brings it along. */
  async function putBack(): Promise<void> {
    if (isLacking) await tryChange((before) => before).catch(() => {})
  }

  const before = (await getSeen(device, userId))?.pins
  const lastSeen = before && (await open(before))
  if (lastSeen) goBy(lastSeen, before)
  // Sealed under an account key that is gone: its number still tells an older list.
  else if (before) known = { version: before.version, sealed: '' }
  // Another tab may have changed the list since the server was asked for it.
  await take(first.version < known.version ? await call(contract.getPins, {}) : first)
  isOpen = true
  await putBack()

  /** One at a time: what is sealed next must contain what was read last. */
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  async function refresh(): Promise<boolean> {
    const asked = stored
    const given = await call(contract.getPins, {})
    const changed = await inTurn(async () => {
      // What was changed here while the answer was on its way must not be taken for an older list.
      if (stored !== asked) return undefined
      const [before, trusted] = [known, !suspect]
      await take(given)
      await putBack()
      return known !== before || trusted === suspect
    })
    return changed ?? refresh()
  }

  return {
    get suspect() {
      return suspect
    },
    get: (contact) => list.pins[contact],
    partyOf: (connectionId) => list.parties[connectionId],
    connected: (connectionIds) => void (connections = new Set(connectionIds)),
    refresh,
    async change(contact, connectionId, change) {
      const put = (before: PinList) =>
        withPin(before, { userId: contact, connectionId, pin: change(before.pins[contact]) })
      const { pins } = await inTurn(() => tryChange(put))
      return pins[contact] as Pin
    },
    async meet(met) {
      if (met.length === 0) return
      const put = (before: PinList) =>
        met.reduce((all, each) => withPin(all, { ...each, pin: all.pins[each.userId] ?? each.pin }), before)
      await inTurn(() => tryChange(put))
    },
  }
}
