import { preferenceCalls } from '@privity/contract/preferences'
import { privacy } from '@privity/contract/privacy'
import type { AuditCase } from './account.ts'
import { allowExports } from '../scenes/preferences.ts'

/** Every call that changes preferences or exports data, by `METHOD path`. */
export const preferenceCases: Record<string, AuditCase> = {
  'PATCH /api/preferences': {
    action: 'preferences_changed',
    async prepare(server) {
      const member = await server.signUp()
      return {
        fail: () => member.refused(preferenceCalls.update, { body: { theme: 'dark', dataDownloads: true } }),
        succeed: () => member.call(preferenceCalls.update, { body: { theme: 'dark', readReceipts: false } }),
      }
    },
  },
  'POST /api/account/data-downloads': {
    action: 'preferences_changed',
    async prepare(server) {
      const member = await server.signUp()
      return {
        fail: () => member.refused(privacy.allowExports, { body: { password: 'wrong' } }),
        succeed: () => allowExports(member),
      }
    },
  },
  'POST /api/account/security/failed-sign-ins/settlement': {
    action: 'failed_sign_ins_settled',
    async prepare(server) {
      const member = await server.signUp()
      const until = server.clock.now()
      return {
        fail: () => member.refused(privacy.settleFailures, { body: { until: -1 } }),
        succeed: () => member.call(privacy.settleFailures, { body: { until } }),
      }
    },
  },
  'POST /api/account/exports': {
    action: 'data_exported',
    async prepare(server) {
      const [member, other] = [await server.signUp(), await server.signUp()]
      await allowExports(member)
      return {
        fail: () => other.refused(privacy.createExport, {}),
        succeed: () => member.call(privacy.createExport, {}),
      }
    },
  },
}
