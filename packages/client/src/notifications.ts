import type { Result } from '@privity/contract/endpoint'
import { notifications as contract } from '@privity/contract/notifications'
import type { Call } from './transport/call.ts'
import { maySucceedLater } from './transport/callError.ts'

export type NotificationPage = Result<typeof contract.list>

/** Notifications about the account; the event 'notification' brings new ones. */
export interface Notifications {
  /** Newest first; `unread` counts all, not this page's. */
  list(query?: { limit?: number; before?: string }): Promise<NotificationPage>
  /** Marks all where no ids are given. Returns how many are left unread. */
  markRead(ids?: string[]): Promise<number>
  /** Removes all up to the newest that was shown. Returns how many of the others are unread. */
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
 * Reports a contact's changed key, which only a browser can detect: once per key and session, and again after a call
 * that could not reach the server, or found it full. Never fails the caller.
 */
export function createKeyChangeReport(call: Call): (connectionId: string, identityKey: string) => void {
  const reported = new Set<string>()
  return (connectionId, identityKey) => {
    const change = `${connectionId} ${identityKey}`
    if (reported.has(change)) return
    reported.add(change)
    call(contract.reportKeyChange, { body: { connectionId, identityKey } }).catch((error: unknown) => {
      if (maySucceedLater(error)) reported.delete(change)
    })
  }
}
