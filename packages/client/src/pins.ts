import { keys as contract } from '@privity/contract/keys'
import type { Call } from './call.ts'
import { type Alarm, isCallError } from './callError.ts'
import type { Device } from './device.ts'
import type { Keyring } from './keyring.ts'
import { noPins, openPins as openList, type Pin, type PinList, sealPins, type StoredPins } from './pinList.ts'
import { getSeen, keepSeen } from './seen.ts'

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

  const open = (given: StoredPins) => openList(accountKey, userId, given).catch(() => undefined)
  const keep = (pins: StoredPins) => keepSeen(device, userId, { identityKey: identity.publicKey, pins })

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
    goBy(opened as PinList, given)
    await keep(given)
  }

  async function put(next: PinList): Promise<void> {
    const version = stored + 1
    const sealed = await sealPins(accountKey, userId, version, next)
    await call(contract.putPins, { body: { version, sealed } })
    stored = version
    goBy(next, { version, sealed })
    await keep(known)
  }

  /** Puts what `change` makes of the newest list. */
  async function tryChange(change: (before: PinList) => PinList): Promise<PinList> {
    for (let attempt = 1; ; attempt++) {
      const next = change(list)
      try {
        await put(next)
        return next
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

  const before = (await getSeen(device, userId))?.pins
  const lastSeen = before && (await open(before))
  if (lastSeen) goBy(lastSeen, before)
  // Sealed under an account key that is gone: its number still tells an older list.
  else if (before) known = { version: before.version, sealed: '' }
  await take(first)
  isOpen = true

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
