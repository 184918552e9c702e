import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { addNotification, refreshNotifications } from './queries.ts'

/** Keeps the list current on the client's events: changes in other tabs, expired files, removed connections. */
export function useLiveNotifications(client: Client): void {
  useEffect(() => {
    const offs = [
      client.on('notification', addNotification),
      client.on('notifications_changed', refreshNotifications),
      client.on('connection_removed', refreshNotifications),
      client.on('expired', refreshNotifications),
      client.on('resync', refreshNotifications),
    ]
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}
