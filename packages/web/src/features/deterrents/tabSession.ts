import { openStorage } from './eventStorage.ts'

const key = 'sessionId'

/** Stores an id for this tab, so that events of one tab can be grouped. */
export function nameTab(): void {
  const storage = openStorage('sessionStorage')
  if (storage && !storage.getItem(key)) storage.setItem(key, crypto.randomUUID())
}

/** The tab's id as currently stored. */
export function tabSession(): string {
  const named = openStorage('sessionStorage')?.getItem(key)
  return named && /^[\w-]{1,64}$/.test(named) ? named : 'unknown'
}
