import { deleteDB, openDB } from 'idb'

/** Stores the founder's wrapping key while they are signed in, so that a reload does not ask for the password. */
export interface FounderKeyStore {
  get(): Promise<CryptoKey | undefined>
  put(key: CryptoKey): Promise<void>
  clear(): Promise<void>
}

export function createMemoryKeyStore(): FounderKeyStore {
  let key: CryptoKey | undefined
  return {
    get: async () => key,
    async put(next) {
      key = next
    },
    async clear() {
      key = undefined
    },
  }
}

const databaseName = 'privity-founder'
const openDatabase = () => openDB(databaseName, 1, { upgrade: (db) => void db.createObjectStore('keys') })

/**
 * Stores a non-extractable key in IndexedDB, shared by all tabs, so that a password change in one tab reaches the
 * others. Where IndexedDB is unavailable, each tab holds the key in memory until its page ends.
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
        (await memory.get()) ?? (await withDatabase((db) => db.get('keys', 'wrap') as Promise<CryptoKey | undefined>))
      )
    },
    async put(key) {
      if ((await withDatabase((db) => db.put('keys', key, 'wrap'))) === undefined) await memory.put(key)
      else await memory.clear()
    },
    async clear() {
      await memory.clear()
      await withDatabase((db) => db.clear('keys'))
      await deleteDB(databaseName).catch(() => {})
    },
  }
}
