import type { OwnKeys } from '@privity/contract/keys'
import type { AccountKey } from '@privity/e2ee'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'
import { openIdentity } from '../keys/ownIdentity.ts'

/**
 * The account key as stored. The identity is decrypted at each start: without Ed25519 in WebCrypto it is a bare seed.
 */
export interface StoredKey {
  /** New with each sign-in. */
  id: string
  userId: string
  accountKey: AccountKey
  /** The account key that replaces it, stored before the server is asked: the page may be closed meanwhile. */
  next?: AccountKey
}

/** Stores the account key on this device while a user is signed in. */
export interface KeyStore {
  get(): Promise<StoredKey | undefined>
  set(kept: StoredKey): Promise<void>
  /** Retried if the device refuses, until the next sign-in. */
  remove(): Promise<void>
  /** Stores the key that may replace the account key; undefined: none. */
  expect(next: AccountKey | undefined): Promise<void>
  /** Makes the expected key the account key, once the server has put it in place. */
  takeExpected(): Promise<void>
  /** Returns the stored key, or the expected one once the server has put it in place. */
  choose(kept: StoredKey, keys: OwnKeys): Promise<StoredKey>
  /** Whether the stored or the expected key matches these keys. */
  fits(keys: OwnKeys): Promise<boolean>
}

const name = 'keys'
const retryDelayMs = 15_000

const opens = (accountKey: AccountKey, keys: OwnKeys) =>
  openIdentity(accountKey, keys).then(
    ({ identity }) => identity.publicKey === keys.identityKey,
    () => false,
  )

export function createKeyStore(device: Device, clock: Clock): KeyStore {
  /** The id of the key that this tab last read or wrote. */
  let known: string | undefined
  let stopTimer = () => {}

  async function get(): Promise<StoredKey | undefined> {
    const kept = (await device.get(name)) as StoredKey | undefined
    known = kept?.id
    return kept
  }

  async function set(kept: StoredKey): Promise<void> {
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

  /** Removes only the ended key: another tab may have stored the key of a new sign-in. */
  function tryLater(ended: string | undefined): void {
    stopTimer = clock.after(retryDelayMs, () => {
      get()
        .then((kept) => (kept?.id === ended ? device.remove(name) : undefined))
        .catch(() => tryLater(ended))
    })
  }

  async function choose(kept: StoredKey, keys: OwnKeys): Promise<StoredKey> {
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
