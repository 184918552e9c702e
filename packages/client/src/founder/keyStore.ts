import { deleteDB, openDB } from 'idb'

/** Keeps the founder's wrapping key while he is signed in, so that a reload does not ask for the password. */
export interface KeptKey {
  get(): Promise<CryptoKey | undefined>
  put(key: CryptoKey): Promise<void>
  forget(): Promise<void>
}

export function createMemoryKey(): KeptKey {
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
 * In this browser's IndexedDB, as a key that no script can read out: one for all its tabs, so that what one of them puts
 * after a change of the password is what the others get. Only where storage is closed each tab keeps its own, and
 * forgets it with its page.
 */
export function createBrowserKey(): KeptKey {
  const memory = createMemoryKey()
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
