import type { Client } from '@privity/client'
import type { PreferenceState } from '@privity/contract/preferences'
import { queryClient } from './queryClient.ts'

export const preferencesKey = ['/api/preferences'] as const
export const preferencesMutation = ['preferences'] as const

export const putPreferences = (state: PreferenceState): void => void queryClient.setQueryData(preferencesKey, state)

/** Keeps them in step with the other tabs and browsers of the same account. */
export function followPreferences(client: Client): void {
  client.on('preferences_changed', (state) => {
    // An answer to one's own change is on its way: until it is here, what was chosen last is shown.
    if (queryClient.isMutating({ mutationKey: preferencesMutation }) === 0) putPreferences(state)
  })
  client.on('resync', () => void queryClient.invalidateQueries({ queryKey: preferencesKey }))
}
