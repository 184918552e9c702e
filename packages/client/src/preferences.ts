import { config } from '@privity/contract/config'
import { preferenceCalls as contract, type Preferences, type PreferenceState } from '@privity/contract/preferences'
import type { Call } from './transport/call.ts'

/** The member's preferences and the organization's policy. The event 'preferences_changed' announces every change. */
export interface PreferenceAccess {
  get(): Promise<PreferenceState>
  /** PASSWORD_NEEDED for dataDownloads: see privacy.allowExports. */
  update(part: Partial<Preferences>): Promise<PreferenceState>
  /** Whether this server sends email. */
  sendsEmail(): Promise<boolean>
}

export const createPreferences = (call: Call): PreferenceAccess => ({
  get: () => call(contract.get, {}),
  update: (part) => call(contract.update, { body: part }),
  sendsEmail: async () => (await call(config.get, {})).sendsEmail,
})
