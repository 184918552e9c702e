import type { PreferenceState } from '@privity/contract/preferences'
import { chooseLanguage, language } from '../../i18n/language.ts'
import { preferencesKey } from '../preferencesQuery.ts'
import { queryClient } from '../queryClient.ts'

/** Applies the account's language preference wherever the member signs in, and on every change. */
export function followLanguage(): void {
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== preferencesKey[0]) return
    const state = query.state.data as PreferenceState | undefined
    if (state && state.preferences.language !== language.get()) chooseLanguage(state.preferences.language)
  })
}
