import { useEffect } from 'react'
import { usePreferences } from './preferences.ts'
import { useClient } from '../session.ts'

/** With background sync off, a hidden tab lets its socket go and is in step again once it is looked at. */
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
