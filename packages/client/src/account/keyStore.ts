import type { OwnKeys } from '@privity/contract/keys'
import type { SignedInUser } from '@privity/contract/session'
import {
  type BrowserKey,
  type Bytes,
  createBrowserKey,
  E2eeError,
  importAccountKey,
  openForBrowser,
  sealForBrowser,
} from '@privity/e2ee'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'
import { openIdentity } from '../keys/ownIdentity.ts'

/**
 * The account key as stored: sealed under a key of this browser together with the share that the server holds for the
 * session. Once the session has ended, neither opens it. The identity is decrypted at each start instead of stored:
 * where WebCrypto has no Ed25519, it would be a bare seed.
 */
interface StoredEntry {
  /** New with each sign-in. */
  id: string
  userId: string
  /** The session in which it was sealed. */
  sessionId: string
  /** New with each session. */
  browserKey: BrowserKey
  sealed: string
  /**
   * The account key that may replace it, sealed under the share of the session that follows. Stored before the call,
   * because the page may be closed during it.
   */
  next?: string
}

/** An account key that opened with the session's share. */
export interface StoredKey {
  id: string
  raw: Bytes
  /** Whether it is stored as it should be: sealed in this session, and not as the next key. */
  isCurrent: boolean
}

/** An account key that may replace the current one, with the share that the session has from then on. */
export interface NextKey {
  raw: Bytes
  keyShare: string
}

/** Stores the account key on this device while a user is signed in. */
export interface KeyStore {
  /** Whether a key of this user is stored; only the session's share shows whether it opens. */
  holds(userId: string): Promise<boolean>
  /** Opens the stored key, or the next one if the session's share opens that; undefined if none opens. */
  open(signedIn: SignedInUser): Promise<StoredKey | undefined>
  /** Stores an account key under a new key of this browser. `id`: that of the entry it replaces in the same sign-in. */
  set(key: { id?: string | undefined; userId: string; session: SignedInUser['session']; raw: Bytes }): Promise<void>
  /** If the device refuses, rejects and is retried until another key is stored. */
  remove(): Promise<void>
  /** Removes the key that this tab has read or written last, and no later one of another tab. */
  removeKnown(): Promise<void>
  /** Stores the key that may replace the account key; undefined: none. */
  setNext(next: NextKey | undefined): Promise<void>
  /** Makes the next key the account key, once the server has put it in place. */
  promoteNext(): Promise<void>
  /** Whether the stored or the next key opens with this share and matches these keys. */
  fits(signedIn: SignedInUser, keys: OwnKeys): Promise<boolean>
}

const name = 'keys'
const retryDelayMs = 15_000

async function openEntry(
  { userId, sessionId, browserKey }: StoredEntry,
  sealed: string | undefined,
  keyShare: string,
): Promise<Bytes | undefined> {
  if (sealed === undefined) return undefined
  return openForBrowser(browserKey, keyShare, sealed, { userId, sessionId }).catch((error: unknown) => {
    if (error instanceof E2eeError) return undefined
    throw error
  })
}

const canOpen = async (raw: Bytes, keys: OwnKeys) =>
  openIdentity(await importAccountKey(raw), keys).then(
    ({ identity }) => identity.publicKey === keys.identityKey,
    () => false,
  )

export function createKeyStore(device: Device, clock: Clock): KeyStore {
  /** The id of the entry that this tab last read or wrote. */
  let knownId: string | undefined
  let stopTimer = () => {}
  /** Changes that began before a removal are not written after it. */
  let removals = 0

  async function read(): Promise<StoredEntry | undefined> {
    const entry = (await device.get(name)) as StoredEntry | undefined
    knownId = entry?.id
    return entry?.browserKey === undefined ? undefined : entry
  }

  async function write(entry: StoredEntry): Promise<void> {
    stopTimer()
    await device.set(name, entry)
    knownId = entry.id
  }

  async function change(update: (entry: StoredEntry) => Promise<StoredEntry | undefined>): Promise<void> {
    const before = removals
    const entry = await read()
    const changed = entry && (await update(entry))
    if (changed && removals === before) await write(changed)
  }

  async function removeBy(work: (endedId: string | undefined) => Promise<void>): Promise<void> {
    removals += 1
    stopTimer()
    const endedId = knownId
    await work(endedId).catch((error: unknown) => {
      tryLater(endedId)
      throw error
    })
  }

  /** Removes only the ended key: another tab may have stored the key of a new sign-in. */
  async function removeEnded(endedId: string | undefined): Promise<void> {
    if ((await read())?.id === endedId) await device.remove(name)
  }

  function tryLater(endedId: string | undefined): void {
    stopTimer = clock.after(retryDelayMs, () => {
      removeEnded(endedId).catch(() => tryLater(endedId))
    })
  }

  async function open({ id: userId, session }: SignedInUser): Promise<StoredKey | undefined> {
    const entry = await read()
    if (entry?.userId !== userId) return undefined
    const { id, sealed, next } = entry
    const raw = await openEntry(entry, sealed, session.keyShare)
    if (raw) return { id, raw, isCurrent: entry.sessionId === session.id }
    const nextRaw = await openEntry(entry, next, session.keyShare)
    return nextRaw && { id, raw: nextRaw, isCurrent: false }
  }

  return {
    open,
    remove: () => removeBy(() => device.remove(name)),
    removeKnown: () => removeBy(removeEnded),
    holds: async (userId) => (await read())?.userId === userId,
    async set({ id = crypto.randomUUID(), userId, session, raw }) {
      const browserKey = await createBrowserKey()
      const sealed = await sealForBrowser(browserKey, session.keyShare, raw, { userId, sessionId: session.id })
      await write({ id, userId, sessionId: session.id, browserKey, sealed })
    },
    setNext: (next) =>
      change(async (entry) => {
        const { next: _former, ...current } = entry
        const sealed = next && (await sealForBrowser(entry.browserKey, next.keyShare, next.raw, entry))
        return { ...current, ...(sealed !== undefined && { next: sealed }) }
      }),
    promoteNext: () =>
      change(async ({ next, ...current }) => (next === undefined ? undefined : { ...current, sealed: next })),
    async fits(signedIn, keys) {
      const stored = signedIn.id === keys.userId ? await open(signedIn) : undefined
      return stored !== undefined && canOpen(stored.raw, keys)
    },
  }
}
