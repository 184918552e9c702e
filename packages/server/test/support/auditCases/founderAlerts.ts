import { alerts, alertTypes } from '@privity/contract/founder/alerts'
import type { AuditCase } from './account.ts'
import { signInFounder } from '../founder/founder.ts'

const settings = {
  emailEnabled: true,
  emailAddress: 'security@example.com',
  smsEnabled: false,
  smsPhoneNumber: null,
  alertTypes: [...alertTypes],
}

/** Every state-changing call of the founder's alerts, by `METHOD path`. */
export const founderAlertCases: Record<string, AuditCase> = {
  'PUT /api/founder/alert-settings': {
    action: 'alert_settings_changed',
    async prepare(server) {
      const founder = await signInFounder(server)
      return {
        fail: () => founder.refused(alerts.putSettings, { body: { ...settings, emailAddress: 'nobody' } }),
        succeed: () => founder.call(alerts.putSettings, { body: settings }),
      }
    },
  },
  'POST /api/founder/test-alert': {
    action: 'alert_tested',
    async prepare(server) {
      const founder = await signInFounder(server)
      return {
        fail: () => founder.refused(alerts.test, { body: { alertType: '' } }),
        succeed: () => founder.call(alerts.test, { body: { alertType: 'mass_signup' } }),
      }
    },
  },
}
