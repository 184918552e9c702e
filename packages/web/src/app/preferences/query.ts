import type { Client } from '@privity/client'
import type { PreferenceState } from '@privity/contract/preferences'
import { queryClient } from '../queryClient.ts'
import { chooseLanguage, language } from '../../i18n/language.ts'

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

/** Applies the account's language preference wherever the member signs in, and on every change. */
export function followLanguage(): void {
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== preferencesKey[0]) return
    const state = query.state.data as PreferenceState | undefined
    if (state && state.preferences.language !== language.get()) chooseLanguage(state.preferences.language)
  })
}
