import { openStorage } from './eventStorage.ts'

const key = 'sessionId'

/** Gives this tab a name of its own, so that events of one tab can be told to belong together. */
export function nameTab(): void {
  const storage = openStorage('sessionStorage')
  if (storage && !storage.getItem(key)) storage.setItem(key, crypto.randomUUID())
}

/** The tab's name as session storage has it now. */
export function tabSession(): string {
  const named = openStorage('sessionStorage')?.getItem(key)
  return named && /^[\w-]{1,64}$/.test(named) ? named : 'unknown'
}
