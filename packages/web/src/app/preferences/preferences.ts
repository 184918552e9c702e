import { useEffect } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { defaultPolicy, defaultPreferences } from '@privity/contract/preferenceDefaults'
import type { Preferences, PreferenceState } from '@privity/contract/preferences'
import { toast } from '../../ui/toast/toastStore.ts'
import { messageFor } from '../callError.ts'
import { preferencesKey as key, preferencesMutation as mutationKey, putPreferences } from './query.ts'
import { queryClient } from '../queryClient.ts'
import { useClient, useSession } from '../session.ts'
import { coreTexts } from '../texts.ts'
import { storeAppearance } from '../appearance.ts'

const defaults: PreferenceState = { preferences: defaultPreferences, policy: defaultPolicy }

/** The member's preferences and the organization's policy; defaults for visitors and until they are loaded. */
export function usePreferences(): PreferenceState {
  const open = useSession().status === 'open'
  return useQuery<PreferenceState>({ queryKey: key, enabled: open }).data ?? defaults
}

/** The raw query, for pages that must not show a default as if the member had chosen it. */
export const usePreferencesLoad = () => useQuery<PreferenceState>({ queryKey: key })

const patch = (part: Partial<Preferences>) =>
  queryClient.setQueryData<PreferenceState>(
    key,
    (known) => known && { ...known, preferences: { ...known.preferences, ...part } },
  )

/**
 * Updates preferences optimistically; an error rolls them back and shows a toast. Updates run in sequence, so the last
 * one wins. `onSuccess` is called even if the calling component is unmounted, because a change of language renders
 * everything again.
 */
export function useSetPreferences(): (part: Partial<Preferences>, options?: { onSuccess?: () => unknown }) => void {
  const client = useClient()
  const { mutateAsync } = useMutation({
    mutationKey,
    scope: { id: 'preferences' },
    mutationFn: (part: Partial<Preferences>) => client.preferences.update(part),
    async onMutate(part) {
      await queryClient.cancelQueries({ queryKey: key })
      const known = queryClient.getQueryData<PreferenceState>(key)?.preferences ?? defaultPreferences
      patch(part)
      const changed = Object.keys(part) as (keyof Preferences)[]
      return Object.fromEntries(changed.map((name) => [name, known[name]])) as Partial<Preferences>
    },
    onSuccess(state) {
      if (queryClient.isMutating({ mutationKey }) === 1) putPreferences(state)
    },
    onError(error, _part, before) {
      if (before) patch(before)
      toast({
        title: coreTexts.settingNotSaved,
        description: messageFor(error, coreTexts.settingNotSavedHint),
        tone: 'destructive',
      })
    },
  })
  return (part, options) => void mutateAsync(part).then(options?.onSuccess, () => {})
}

/** Applies and stores the account's appearance while a member's page is open, even if it was changed elsewhere. */
export function useAppearance(): void {
  const preferences = usePreferencesLoad().data?.preferences
  useEffect(() => {
    if (preferences) storeAppearance(preferences)
  }, [preferences])
}

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
