import type { OwnKeys } from '@privity/contract/keys'
import type { AccountKey } from '@privity/e2ee'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'
import { openIdentity } from '../keys/ownIdentity.ts'

/**
 * The account key as stored. The identity is decrypted at each start instead of stored: where WebCrypto has no Ed25519,
 * it would be a bare seed.
 */
export interface StoredKey {
  /** New with each sign-in. */
  id: string
  userId: string
  accountKey: AccountKey
  /** The account key that may replace it. Stored before the call, because the page may be closed during it. */
  next?: AccountKey
}

/** Stores the account key on this device while a user is signed in. */
export interface KeyStore {
  get(): Promise<StoredKey | undefined>
  set(stored: StoredKey): Promise<void>
  /** If the device refuses, rejects and is retried until another key is stored. */
  remove(): Promise<void>
  /** Stores the key that may replace the account key; undefined: none. */
  setNext(next: AccountKey | undefined): Promise<void>
  /** Makes the next key the account key, once the server has put it in place. */
  promoteNext(): Promise<void>
  /** Returns `stored`, with the next key as account key if only that one decrypts the server's `keys`. */
  choose(stored: StoredKey, keys: OwnKeys): Promise<StoredKey>
  /** Whether the stored or the next key matches these keys. */
  fits(keys: OwnKeys): Promise<boolean>
}

const name = 'keys'
const retryDelayMs = 15_000

const canOpen = (accountKey: AccountKey, keys: OwnKeys) =>
  openIdentity(accountKey, keys).then(
    ({ identity }) => identity.publicKey === keys.identityKey,
    () => false,
  )

export function createKeyStore(device: Device, clock: Clock): KeyStore {
  /** The id of the key that this tab last read or wrote. */
  let knownId: string | undefined
  let stopTimer = () => {}

  async function get(): Promise<StoredKey | undefined> {
    const stored = (await device.get(name)) as StoredKey | undefined
    knownId = stored?.id
    return stored
  }

  async function set(stored: StoredKey): Promise<void> {
    stopTimer()
    await device.set(name, stored)
    knownId = stored.id
  }

  async function remove(): Promise<void> {
    stopTimer()
    const endedId = knownId
    await device.remove(name).catch((error: unknown) => {
      tryLater(endedId)
      throw error
    })
  }

  /** Removes only the ended key: another tab may have stored the key of a new sign-in. */
  function tryLater(endedId: string | undefined): void {
    stopTimer = clock.after(retryDelayMs, () => {
      get()
        .then((stored) => (stored?.id === endedId ? device.remove(name) : undefined))
        .catch(() => tryLater(endedId))
    })
  }

  async function choose(stored: StoredKey, keys: OwnKeys): Promise<StoredKey> {
    const { id, userId, accountKey, next } = stored
    const isReplaced = next && !(await canOpen(accountKey, keys)) && (await canOpen(next, keys))
    return isReplaced ? { id, userId, accountKey: next } : stored
  }

  return {
    get,
    set,
    remove,
    choose,
    async setNext(next) {
      const stored = await get()
      if (!stored) return
      const { id, userId, accountKey } = stored
      await set({ id, userId, accountKey, ...(next && { next }) })
    },
    async promoteNext() {
      const stored = await get()
      if (stored?.next) await set({ id: stored.id, userId: stored.userId, accountKey: stored.next })
    },
    async fits(keys) {
      const stored = await get()
      return stored?.userId === keys.userId && canOpen((await choose(stored, keys)).accountKey, keys)
    },
  }
}
