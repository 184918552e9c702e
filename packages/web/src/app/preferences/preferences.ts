import { useMutation, useQuery } from '@tanstack/react-query'
import { defaultPolicy, defaultPreferences } from '@privity/contract/preferenceDefaults'
import type { Preferences, PreferenceState } from '@privity/contract/preferences'
import { toast } from '../../ui/toast/toastStore.ts'
import { sentenceOf } from '../callError.ts'
import { preferencesKey as key, preferencesMutation as mutationKey, putPreferences } from '../preferencesQuery.ts'
import { queryClient } from '../queryClient.ts'
import { useClient, useSession } from '../session.ts'
import { coreTexts } from '../texts.ts'

const defaults: PreferenceState = { preferences: defaultPreferences, policy: defaultPolicy }

/** What the member has chosen and what his organization asks; the defaults until that is known, and for visitors. */
export function usePreferences(): PreferenceState {
  const open = useSession().status === 'open'
  return useQuery<PreferenceState>({ queryKey: key, enabled: open }).data ?? defaults
}

/** For a page that must not show a default as if it had been chosen. */
export const usePreferencesLoad = () => useQuery<PreferenceState>({ queryKey: key })

const patch = (part: Partial<Preferences>) =>
  queryClient.setQueryData<PreferenceState>(
    key,
    (known) => known && { ...known, preferences: { ...known.preferences, ...part } },
  )

/**
 * Shown at once; taken back, with a notice, where the server refuses. One after the other, so that the last one holds.
 * `onSuccess` is called also where what asked for it is no longer on the screen: another language draws all anew.
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
        description: sentenceOf(error, coreTexts.settingNotSavedHint),
        tone: 'destructive',
      })
    },
  })
  return (part, options) => void mutateAsync(part).then(options?.onSuccess, () => {})
}
