import { keys as contract } from '@privity/contract/keys'
import type { Call } from './call.ts'
import { isCallError } from './callError.ts'
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
  /** Asks the server again; whether anything is different. */
  refresh(): Promise<boolean>
}

const attempts = 6
const lost = 'The server has lost the list of keys you have accepted, or altered it. Compare safety numbers again.'
const older = 'The server has brought back an older list of the keys you have accepted. Compare safety numbers again.'

export async function openPins(
  deps: { call: Call; device: Device; keyring: Keyring; alarm: (sentence: string) => void },
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

  const open = (given: StoredPins) => openList(accountKey, userId, given).catch(() => undefined)
  const keep = (pins: StoredPins) => keepSeen(device, userId, { identityKey: identity.publicKey, pins })

  function goBy(opened: PinList, from: StoredPins): void {
    list = opened
    known = from
  }

  async function take(given: StoredPins): Promise<void> {
    stored = given.version
    if (given.version > 0 && given.version === known.version && given.sealed === known.sealed) return
    const opened = given.version > 0 ? await open(given) : undefined
    suspect = !opened || given.version < known.version
    if (suspect) return alarm(opened ? older : lost)
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

  async function tryChange(contact: string, connectionId: string, change: (before: Pin | undefined) => Pin) {
    for (let attempt = 1; ; attempt++) {
      const pin = change(list.pins[contact])
      try {
        await put({
          pins: { ...list.pins, [contact]: pin },
          parties: { ...list.parties, [connectionId]: contact },
        })
        return pin
      } catch (error) {
        if (!isCallError(error, 'STALE_VERSION') || attempt === attempts) throw error
        await take(await call(contract.getPins, {}))
      }
    }
  }

  const before = (await getSeen(device, userId))?.pins
  const lastSeen = before && (await open(before))
  if (lastSeen) goBy(lastSeen, before)
  await take(first)

  let queue: Promise<unknown> = Promise.resolve()
  return {
    get suspect() {
      return suspect
    },
    get: (contact) => list.pins[contact],
    partyOf: (connectionId) => list.parties[connectionId],
    async refresh() {
      const [before, trusted] = [known, !suspect]
      await take(await call(contract.getPins, {}))
      return known !== before || trusted === suspect
    },
    change(contact, connectionId, change) {
      const changed = queue.then(() => tryChange(contact, connectionId, change))
      queue = changed.catch(() => {})
      return changed
    },
  }
}
