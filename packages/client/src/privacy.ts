import type { Connection } from '@privity/contract/connections'
import type { PreferenceState } from '@privity/contract/preferences'
import { privacy as contract, type SecurityFacts } from '@privity/contract/privacy'
import type { Call } from './transport/call.ts'
import { CallError } from './transport/callError.ts'
import type { Clock } from './transport/clock.ts'
import type { ExportFile, ExportOptions } from './export/types.ts'
import type { PasswordDerivation } from './keys/passwordKeys.ts'
import type { Session } from './session.ts'
import type { Store } from './transport/store.ts'
import type { AccountState } from './types.ts'

export interface Privacy {
  securityFacts(): Promise<SecurityFacts>
  /** Marks the failed sign-ins up to `until`, the time of the last one shown, as the member's own. */
  settleFailures(until: number): Promise<SecurityFacts>
  /** Allows data downloads. Throws WRONG_PASSWORD, which counts as a failed sign-in. */
  allowExports(password: string): Promise<PreferenceState>
  /** Creates one ZIP of the user's own data in this browser. Throws EXPORTS_OFF where data downloads are off. */
  createExport(options: ExportOptions): Promise<ExportFile>
}

export function createPrivacy(deps: {
  call: Call
  clock: Clock
  passwords: PasswordDerivation
  state: Store<AccountState>
  connections(): Promise<Connection[]>
  /** Throws while no account is open. */
  session(): Session
}): Privacy {
  const { call, clock, connections, state } = deps
  return {
    securityFacts: () => call(contract.securityFacts, {}),
    settleFailures: (until) => call(contract.settleFailures, { body: { until } }),
    async allowExports(password) {
      const now = state.get()
      if (now.status !== 'open') throw new CallError('NOT_SIGNED_IN')
      const { authKey } = await deps.passwords.derive(password, now.user)
      return call(contract.allowExports, { body: { password: authKey } })
    },
    async createExport(options) {
      const { decryptedMessages, trust, drafts } = deps.session()
      // Loaded with the first export, because few sessions make one.
      const { createExport } = await import('./export/export.ts')
      return createExport({ call, clock, connections, decryptedMessages, trust, drafts }, options)
    },
  }
}
