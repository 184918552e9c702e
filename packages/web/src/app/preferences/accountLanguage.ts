import type { PreferenceState } from '@privity/contract/preferences'
import { chooseLanguage, language } from '../../i18n/language.ts'
import { preferencesKey } from '../preferencesQuery.ts'
import { queryClient } from '../queryClient.ts'

/** A member's language is a preference of the account: it applies wherever he signs in, and as soon as it changes. */
export function followLanguage(): void {
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== preferencesKey[0]) return
    const state = query.state.data as PreferenceState | undefined
    if (state && state.preferences.language !== language.get()) chooseLanguage(state.preferences.language)
  })
}
