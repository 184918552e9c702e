/** Returns the browser's storage, or undefined if it is blocked. */
export function openStorage(name: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    const storage = globalThis[name]
    storage.setItem('privity.probe', '1')
    storage.removeItem('privity.probe')
    return storage
  } catch {
    return undefined
  }
}

/** Storage in memory, where the browser's is blocked: unsent events are lost with the page. */
export function createPassingStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> {
  const entries = new Map<string, string>()
  return {
    get length() {
      return entries.size
    },
    key: (at) => [...entries.keys()][at] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}

const key = 'sessionId'

/** Stores an id for this tab, so that events of one tab can be grouped. */
export function nameTab(): void {
  const storage = openStorage('sessionStorage')
  if (storage && !storage.getItem(key)) storage.setItem(key, crypto.randomUUID())
}

/** The tab's id; 'unknown' if none or an invalid one is stored. */
export function tabSession(): string {
  const named = openStorage('sessionStorage')?.getItem(key)
  return named && /^[\w-]{1,64}$/.test(named) ? named : 'unknown'
}
