import type { Result } from '@privity/contract/endpoint'
import { notifications as contract } from '@privity/contract/notifications'
import type { Call } from './transport/call.ts'
import { isPassing } from './transport/callError.ts'

export type NotificationPage = Result<typeof contract.list>

/** What happened to one's account; events tell of new ones. */
export interface Notifications {
  /** Newest first; `unread` counts all, not this page's. */
  list(query?: { limit?: number; before?: string }): Promise<NotificationPage>
  /** All, where no ids are given. Answers how many are left unread. */
  markRead(ids?: string[]): Promise<number>
  /** Removes all up to the newest that was seen. Answers how many of the others are unread. */
  clear(newest: string): Promise<number>
  remove(id: string): Promise<void>
}

export const createNotifications = (call: Call): Notifications => ({
  list: (query = {}) => call(contract.list, { query }),
  markRead: async (ids) => (await call(contract.markRead, { body: { ids } })).unread,
  clear: async (newest) => (await call(contract.clear, { query: { newest } })).unread,
  remove: async (id) => void (await call(contract.remove, { params: { id } })),
})

/**
 * Tells the account of a changed key, which only a browser can find: once for each key in a session, and again
 * where the server could not be reached. It never fails what was being done.
 */
export function createKeyChangeReport(call: Call): (connectionId: string, identityKey: string) => void {
  const reported = new Set<string>()
  return (connectionId, identityKey) => {
    const change = `${connectionId} ${identityKey}`
    if (reported.has(change)) return
    reported.add(change)
    call(contract.reportKeyChange, { body: { connectionId, identityKey } }).catch((error: unknown) => {
      if (isPassing(error)) reported.delete(change)
    })
  }
}
