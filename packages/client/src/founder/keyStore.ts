import { deleteDB, openDB } from 'idb'
import type { BrowserKey } from '@privity/e2ee'

/**
 * The founder's wrapping key as stored: sealed under a key of this browser together with the share that the server
 * holds for the session. Once the session has ended, neither opens it.
 */
export interface StoredWrapKey {
  browserKey: BrowserKey
  sealed: string
}

/** Stores the founder's wrapping key while they are signed in, so that a reload does not ask for the password. */
export interface FounderKeyStore {
  get(): Promise<StoredWrapKey | undefined>
  put(entry: StoredWrapKey): Promise<void>
  clear(): Promise<void>
}

export function createMemoryKeyStore(): FounderKeyStore {
  let entry: StoredWrapKey | undefined
  return {
    get: async () => entry,
    async put(next) {
      entry = next
    },
    async clear() {
      entry = undefined
    },
  }
}

const databaseName = 'privity-founder'
const openDatabase = () => openDB(databaseName, 1, { upgrade: (db) => void db.createObjectStore('keys') })

/**
 * Stores the sealed key in IndexedDB, shared by all tabs, so that a password change in one tab reaches the others.
 * Where IndexedDB is unavailable, each tab holds it in memory until its page ends.
 */
export function createBrowserKeyStore(): FounderKeyStore {
  const memory = createMemoryKeyStore()
  async function withDatabase<T>(
    use: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      const db = await openDatabase()
      try {
        return await use(db)
      } finally {
        db.close()
      }
    } catch {
      return undefined
    }
  }
  return {
    async get() {
      return (
        (await memory.get()) ??
        (await withDatabase((db) => db.get('keys', 'wrap') as Promise<StoredWrapKey | undefined>))
      )
    },
    async put(entry) {
      if ((await withDatabase((db) => db.put('keys', entry, 'wrap'))) === undefined) await memory.put(entry)
      else await memory.clear()
    },
    async clear() {
      await memory.clear()
      await withDatabase((db) => db.clear('keys'))
      await deleteDB(databaseName).catch(() => {})
    },
  }
}
