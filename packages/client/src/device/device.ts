import { openDB } from 'idb'
import { CallError } from '../transport/callError.ts'

/**
 * Storage of this device by name. Everything secret in it is encrypted under the account key, and that under a key of
 * this browser and the server's share of the session (account/keyStore.ts). In plain it holds no more than ids, public
 * keys, numbers and dates of epochs, and marks. Values pass through structured clone.
 */
export interface Device {
  get(name: string): Promise<unknown>
  set(name: string, value: unknown): Promise<void>
  remove(name: string): Promise<void>
  /** Writes all values or none, in one transaction; undefined removes. */
  change(values: ReadonlyMap<string, unknown>): Promise<void>
  /** The names that begin with `prefix`, ascending. */
  names(prefix: string): Promise<string[]>
  /** Whether it forgets everything with the page. */
  isTransient?(): boolean
}

const store = 'values'

/** IndexedDB, reopened if the browser closed it meanwhile. */
export function createBrowserDevice(): Device {
  let database: ReturnType<typeof openDB> | undefined
  const open = () =>
    (database ??= openDB('privity', 1, {
      upgrade: (db) => void db.createObjectStore(store),
      terminated: () => (database = undefined),
    }).catch((error: unknown) => {
      database = undefined
      throw error
    }))
  async function change(values: ReadonlyMap<string, unknown>): Promise<void> {
    // By default Chromium and Firefox report a write before it is on the disk: a power failure could take back a key
    // that the server has listed, or the mark of a message that was sent.
    const transaction = (await open()).transaction(store, 'readwrite', { durability: 'strict' })
    const changes = [...values].map(([name, value]) =>
      value === undefined ? transaction.store.delete(name) : transaction.store.put(value, name),
    )
    await Promise.all([...changes, transaction.done])
  }

  return {
    change,
    get: async (name) => (await open()).get(store, name) as Promise<unknown>,
    set: (name, value) => change(new Map([[name, value]])),
    remove: (name) => change(new Map([[name, undefined]])),
    async names(prefix) {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
      return (await (await open()).getAllKeys(store, range)) as string[]
    },
  }
}

/** The same device, but a refusal of full or disabled storage becomes STORAGE_FAILED, which is shown to the user. */
export function withStorageErrors(device: Device): Device {
  const wrapRejection = <T>(done: Promise<T>): Promise<T> =>
    done.catch((cause: unknown) => {
      throw new CallError('STORAGE_FAILED', { cause })
    })
  return {
    get: (name) => wrapRejection(device.get(name)),
    set: (name, value) => wrapRejection(device.set(name, value)),
    remove: (name) => wrapRejection(device.remove(name)),
    change: (values) => wrapRejection(device.change(values)),
    names: (prefix) => wrapRejection(device.names(prefix)),
  }
}

/** In memory, for Node and tests. Clients that share one behave like tabs of one browser. */
export function createMemoryDevice(): Device {
  const values = new Map<string, unknown>()
  return {
    get: async (name) => structuredClone(values.get(name)),
    set: async (name, value) => void values.set(name, structuredClone(value)),
    remove: async (name) => void values.delete(name),
    async change(changed) {
      for (const [name, value] of structuredClone(changed)) {
        if (value === undefined) values.delete(name)
        else values.set(name, value)
      }
    },
    names: async (prefix) => [...values.keys()].filter((name) => name.startsWith(prefix)).toSorted(),
  }
}
