import { keys as contract, pinListLength } from '@privity/contract/keys'
import { signPinList } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { type SecurityAlert, isCallError } from '../transport/callError.ts'
import type { Device } from '../device/device.ts'
import type { Tabs } from '../device/tabs.ts'
import type { Keyring } from '../keys/keyring.ts'
import { noPins, openPins as openList, type Pin, type PinList, sealPins } from './pinList.ts'
import { type StoredPins, readLastSeen, saveLastSeen } from '../keys/rollback.ts'
import { mergePins, removeClosedConnections } from './pinMerge.ts'

/** The user's pin list, encrypted under the account key and shared by all browsers of the user. */
export interface Pins {
  /**
   * The server's list is missing, older than one seen here, or not the user's: no new key is accepted without the user.
   */
  readonly suspect: boolean
  get(userId: string): Pin | undefined
  /** The contact of a connection, once a key of theirs was accepted. */
  participantOf(connectionId: string): string | undefined
  /** The contacts of the connections known now. */
  participants(): PinList['parties']
  /** Changes one pin in the newest list, retrying after concurrent changes. */
  change(userId: string, connectionId: string, change: (before: Pin | undefined) => Pin): Promise<Pin>
  /** Accepts the keys of several contacts at once where none was accepted before. */
  addNew(newContacts: readonly NewContact[]): Promise<void>
  /** Sets the open connections: the others are removed when the list has no space left. */
  connected(connectionIds: readonly string[]): void
  /** Loads the list again. Returns whether it changed. */
  refresh(): Promise<boolean>
}

/** A contact whose key this user sees for the first time. */
export interface NewContact {
  userId: string
  connectionId: string
  pin: Pin
}

const maxAttempts = 6

export async function openPins(
  deps: { call: Call; device: Device; tabs: Pick<Tabs, 'runExclusive'>; keyring: Keyring; alarm: SecurityAlert },
  initial: StoredPins,
): Promise<Pins> {
  const { call, device, keyring, alarm } = deps
  const { userId, accountKey, identity } = keyring
  /** The server's version, for compare-and-set. */
  let stored = 0
  /** The stored form that `list` was decrypted from. */
  let known: StoredPins = { version: 0, sealed: '' }
  /** The list on the device, unless another tab has saved one. */
  let lastSaved = (await readLastSeen(device, userId))?.pins
  let list = noPins
  let suspect = false
  let isOpen = false
  /** The server's list lacks an entry of `list`. */
  let isLacking = false
  let connections: ReadonlySet<string> | undefined

  const open = (response: StoredPins) => openList(accountKey, userId, response).catch(() => undefined)

  /** Whether the list here has each key that the user accepted in another tab: if not, the next page must detect it. */
  async function continues(seen: StoredPins): Promise<boolean> {
    const opened = await open(seen)
    return opened !== undefined && !mergePins(opened, list).altered
  }

  async function save(): Promise<void> {
    await saveLastSeen(deps, userId, { pins: known, pinsBefore: lastSaved, continues })
    lastSaved = known
  }

  function adopt(opened: PinList, from: StoredPins): void {
    list = opened
    known = from
  }

  async function acceptResponse(response: StoredPins): Promise<void> {
    const isKnown = response.version > 0 && response.version === known.version && response.sealed === known.sealed
    const opened = response.version > 0 && !isKnown ? await open(response) : undefined
    // The list may be encrypted under new keys from another tab: then this throws, and nobody is alerted.
    if (!opened && !isKnown && isOpen) await keyring.refresh()
    // Set together with the list: the next put replaces this version.
    stored = response.version
    if (isKnown) return
    suspect = !opened || response.version < known.version
    if (suspect) return alarm(opened ? 'ACCEPTED_OLDER' : 'ACCEPTED_LOST')
    const merged = mergePins(list, opened as PinList)
    adopt(merged.list, response)
    isLacking = merged.restored
    if (merged.altered) alarm('ACCEPTED_OTHER')
    // An altered list is not saved: until the merged one is put, the list saved before lets the next page detect it.
    if (!merged.altered) await save()
  }

  /** Encrypts the list as the next version, without closed connections if it has grown too long. */
  async function seal(next: PinList): Promise<{ list: PinList; from: StoredPins }> {
    const version = stored + 1
    const sealed = await sealPins(accountKey, userId, version, next)
    if (sealed.length <= pinListLength || connections === undefined) return { list: next, from: { version, sealed } }
    const list = removeClosedConnections(next, (id) => connections?.has(id) === true)
    return { list, from: { version, sealed: await sealPins(accountKey, userId, version, list) } }
  }

  async function put(next: PinList): Promise<PinList> {
    const { list, from } = await seal(next)
    await call(contract.putPins, { body: { ...from, signature: await signPinList(identity, { userId, ...from }) } })
    stored = from.version
    isLacking = false
    adopt(list, from)
    await save()
    return list
  }

  /** Applies `change` to the newest list and puts the result. */
  async function changeNewest(change: (before: PinList) => PinList): Promise<PinList> {
    for (let attempt = 1; ; attempt++) {
      const next = change(list)
      try {
        return await put(next)
      } catch (error) {
        if (!isCallError(error, 'STALE_VERSION') || attempt === maxAttempts) throw error
        await acceptResponse(await call(contract.getPins, {}))
      }
    }
  }

  const withPin = ({ pins, parties }: PinList, { userId: contact, connectionId, pin }: NewContact): PinList => ({
    pins: { ...pins, [contact]: pin },
    parties: { ...parties, [connectionId]: contact },
  })

  /**
   * Restores lost entries for the user's other browsers. If it fails, the user was alerted, and the next change
   * includes them.
   */
  async function putBack(): Promise<void> {
    if (isLacking) await changeNewest((before) => before).catch(() => {})
  }

  const lastSeen = lastSaved && (await open(lastSaved))
  if (lastSaved && lastSeen) adopt(lastSeen, lastSaved)
  // The saved list is encrypted under a replaced account key; its version still detects an older list.
  else if (lastSaved) known = { version: lastSaved.version, sealed: '' }
  // Another tab may have changed the list since it was loaded.
  await acceptResponse(initial.version < known.version ? await call(contract.getPins, {}) : initial)
  isOpen = true
  await putBack()

  /** Runs changes and refreshes one at a time, so that each starts from the result of the one before. */
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  async function refresh(): Promise<boolean> {
    const requestedVersion = stored
    const response = await call(contract.getPins, {})
    const changed = await inTurn(async () => {
      // A change made here while the call was under way must not pass for a rollback.
      if (stored !== requestedVersion) return undefined
      const [before, trusted] = [known, !suspect]
      await acceptResponse(response)
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
    participantOf: (connectionId) => list.parties[connectionId],
    participants: () => list.parties,
    connected: (connectionIds) => void (connections = new Set(connectionIds)),
    refresh,
    async change(contact, connectionId, change) {
      const put = (before: PinList) =>
        withPin(before, { userId: contact, connectionId, pin: change(before.pins[contact]) })
      const { pins } = await inTurn(() => changeNewest(put))
      return pins[contact] as Pin
    },
    async addNew(newContacts) {
      if (newContacts.length === 0) return
      const put = (before: PinList) =>
        newContacts.reduce((all, each) => withPin(all, { ...each, pin: all.pins[each.userId] ?? each.pin }), before)
      await inTurn(() => changeNewest(put))
    },
  }
}
