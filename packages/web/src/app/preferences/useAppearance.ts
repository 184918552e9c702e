import { useEffect } from 'react'
import { usePreferencesLoad } from './preferences.ts'
import { keepLook } from '../appearance.ts'

/** As long as a member's page is open, this browser looks as his account says, wherever that was chosen. */
export function useLook(): void {
  const preferences = usePreferencesLoad().data?.preferences
  useEffect(() => {
    if (preferences) keepLook(preferences)
  }, [preferences])
}
