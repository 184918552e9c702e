import type { OwnKeys } from '@privity/contract/keys'
import type { AccountKey } from '@privity/e2ee'
import type { Device } from './device.ts'
import { openIdentity } from './ownIdentity.ts'

/** The identity is opened anew each time: where WebCrypto lacks Ed25519 it is a bare seed. */
export interface Kept {
  userId: string
  accountKey: AccountKey
  /** What takes its place, kept before the server is asked to: a page may be closed in between. */
  next?: AccountKey
}

/** The account key on this device, while somebody is signed in. */
export interface KeptKeys {
  get(): Promise<Kept | undefined>
  set(kept: Kept): Promise<void>
  remove(): Promise<void>
  /** This one may be the account key from now on; undefined: it is not. */
  expect(next: AccountKey | undefined): Promise<void>
  /** As it is kept, or with the one that was expected, once the server has put it in the place of the other. */
  choose(kept: Kept, keys: OwnKeys): Promise<Kept>
  /** Whether one of them fits these keys. */
  fits(keys: OwnKeys): Promise<boolean>
}

const name = 'keys'

const opens = (accountKey: AccountKey, keys: OwnKeys) =>
  openIdentity(accountKey, keys).then(
    ({ identity }) => identity.publicKey === keys.identityKey,
    () => false,
  )

export function createKeptKeys(device: Device): KeptKeys {
  const get = async () => (await device.get(name)) as Kept | undefined
  const set = (kept: Kept) => device.set(name, kept)

  async function choose(kept: Kept, keys: OwnKeys): Promise<Kept> {
    const { userId, accountKey, next } = kept
    const isReplaced = next && !(await opens(accountKey, keys)) && (await opens(next, keys))
    return isReplaced ? { userId, accountKey: next } : kept
  }

  return {
    get,
    set,
    remove: () => device.remove(name),
    choose,
    async expect(next) {
      const kept = await get()
      if (kept) await set({ userId: kept.userId, accountKey: kept.accountKey, ...(next && { next }) })
    },
    async fits(keys) {
      const kept = await get()
      return kept?.userId === keys.userId && opens((await choose(kept, keys)).accountKey, keys)
    },
  }
}
