import type { OwnKeys } from '@privity/contract/keys'
import type { AccountKey } from '@privity/e2ee'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'
import { openIdentity } from '../keys/ownIdentity.ts'

/** The identity is opened anew each time: where WebCrypto lacks Ed25519 it is a bare seed. */
export interface Kept {
  /** Another one after each sign-in. */
  id: string
  userId: string
  accountKey: AccountKey
  /** What takes its place, kept before the server is asked to: a page may be closed in between. */
  next?: AccountKey
}

/** The account key on this device, while somebody is signed in. */
export interface KeptKeys {
  get(): Promise<Kept | undefined>
  set(kept: Kept): Promise<void>
  /** Where the device refuses it is tried again, until somebody has signed in. */
  remove(): Promise<void>
  /** This one may be the account key from now on; undefined: it is not. */
  expect(next: AccountKey | undefined): Promise<void>
  /** The server has put the one that was expected in the place of the other. */
  takeExpected(): Promise<void>
  /** As it is kept, or with the one that was expected, once the server has put it in the place of the other. */
  choose(kept: Kept, keys: OwnKeys): Promise<Kept>
  /** Whether one of them fits these keys. */
  fits(keys: OwnKeys): Promise<boolean>
}

const name = 'keys'
const pause = 15_000

const opens = (accountKey: AccountKey, keys: OwnKeys) =>
  openIdentity(accountKey, keys).then(
    ({ identity }) => identity.publicKey === keys.identityKey,
    () => false,
  )

export function createKeptKeys(device: Device, clock: Clock): KeptKeys {
  /** The id of the keys that this tab has read or written last. */
  let known: string | undefined
  let stopTimer = () => {}

  async function get(): Promise<Kept | undefined> {
    const kept = (await device.get(name)) as Kept | undefined
    known = kept?.id
    return kept
  }

  async function set(kept: Kept): Promise<void> {
    stopTimer()
    await device.set(name, kept)
    known = kept.id
  }

  async function remove(): Promise<void> {
    stopTimer()
    const ended = known
    await device.remove(name).catch((error: unknown) => {
      tryLater(ended)
      throw error
    })
  }

  /** Another tab may have kept the keys of a new sign-in by then: they stay. */
  function tryLater(ended: string | undefined): void {
    stopTimer = clock.after(pause, () => {
      get()
        .then((kept) => (kept?.id === ended ? device.remove(name) : undefined))
        .catch(() => tryLater(ended))
    })
  }

  async function choose(kept: Kept, keys: OwnKeys): Promise<Kept> {
    const { id, userId, accountKey, next } = kept
    const isReplaced = next && !(await opens(accountKey, keys)) && (await opens(next, keys))
    return isReplaced ? { id, userId, accountKey: next } : kept
  }

  return {
    get,
    set,
    remove,
    choose,
    async expect(next) {
      const kept = await get()
      if (!kept) return
      const { id, userId, accountKey } = kept
      await set({ id, userId, accountKey, ...(next && { next }) })
    },
    async takeExpected() {
      const kept = await get()
      if (kept?.next) await set({ id: kept.id, userId: kept.userId, accountKey: kept.next })
    },
    async fits(keys) {
      const kept = await get()
      return kept?.userId === keys.userId && opens((await choose(kept, keys)).accountKey, keys)
    },
  }
}
