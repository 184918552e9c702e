import { deleteDB, openDB } from 'idb'

/** Stores the founder's wrapping key while they are signed in, so that a reload does not ask for the password. */
export interface FounderKeyStore {
  get(): Promise<CryptoKey | undefined>
  put(key: CryptoKey): Promise<void>
  forget(): Promise<void>
}

export function createMemoryKeyStore(): FounderKeyStore {
  let kept: CryptoKey | undefined
  return {
    get: async () => kept,
    async put(key) {
      kept = key
    },
    async forget() {
      kept = undefined
    },
  }
}

const name = 'privity-founder'
const open = () => openDB(name, 1, { upgrade: (db) => void db.createObjectStore('keys') })

/**
 * Stores a non-extractable key in IndexedDB, shared by all tabs, so that a password change in one tab reaches the
 * others. Where IndexedDB is unavailable, each tab holds the key in memory until its page ends.
 */
export function createBrowserKeyStore(): FounderKeyStore {
  const memory = createMemoryKeyStore()
  async function within<T>(work: (db: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T | undefined> {
    try {
      const db = await open()
      try {
        return await work(db)
      } finally {
        db.close()
      }
    } catch {
      return undefined
    }
  }
  return {
    async get() {
      return (await memory.get()) ?? (await within((db) => db.get('keys', 'wrap') as Promise<CryptoKey | undefined>))
    },
    async put(key) {
      if ((await within((db) => db.put('keys', key, 'wrap'))) === undefined) await memory.put(key)
      else await memory.forget()
    },
    async forget() {
      await memory.forget()
      await within((db) => db.clear('keys'))
      await deleteDB(name).catch(() => {})
    },
  }
}
