import { useEffect } from 'react'
import { usePreferences } from './preferences.ts'
import { useClient } from '../session.ts'

/** If background sync is off, closes the socket while the tab is hidden, and resynchronizes when it is visible. */
export function useBackgroundSync(): void {
  const client = useClient()
  const { backgroundSync } = usePreferences().preferences
  useEffect(() => {
    const follow = () => client.rest(!backgroundSync && document.visibilityState === 'hidden')
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [client, backgroundSync])
}
