import { useEffect } from 'react'
import { usePreferencesLoad } from './preferences.ts'
import { keepLook } from '../appearance.ts'

/** Applies and stores the account's appearance while a member's page is open, even if it was changed elsewhere. */
export function useAppearance(): void {
  const preferences = usePreferencesLoad().data?.preferences
  useEffect(() => {
    if (preferences) keepLook(preferences)
  }, [preferences])
}
