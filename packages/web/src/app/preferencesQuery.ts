import type { Client } from '@privity/client'
import type { PreferenceState } from '@privity/contract/preferences'
import { queryClient } from './queryClient.ts'

export const preferencesKey = ['/api/preferences'] as const
export const preferencesMutation = ['preferences'] as const

export const putPreferences = (state: PreferenceState): void => void queryClient.setQueryData(preferencesKey, state)

/** Keeps preferences in step with other tabs and browsers of the account. */
export function followPreferences(client: Client): void {
  client.on('preferences_changed', (state) => {
    // While an own change awaits its response, keep showing the latest choice.
    if (queryClient.isMutating({ mutationKey: preferencesMutation }) === 0) putPreferences(state)
  })
  client.on('resync', () => void queryClient.invalidateQueries({ queryKey: preferencesKey }))
}
