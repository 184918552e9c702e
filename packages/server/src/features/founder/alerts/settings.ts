import { type AlertSettings, type AlertType, alertTypes, problemOf } from '@privity/contract/founder/alerts'
import { AppError } from '@privity/contract/errors'
import { email } from '@privity/contract/values'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Reader } from '../../../core/database/types.ts'
import type { Founder } from '../../../core/http/guards.ts'
import { requireConfirmed } from '../secondFactor/proof.ts'
import { upsertSettings, selectSettings } from './queries.ts'

/** Until settings are saved, alerts of every type go to the server's log. */
const defaultSettings: AlertSettings = {
  emailEnabled: false,
  emailAddress: null,
  smsEnabled: false,
  smsPhoneNumber: null,
  alertTypes: [...alertTypes],
}

export async function readSettings(db: Reader): Promise<AlertSettings> {
  const row = await selectSettings(db)
  if (row === undefined) return defaultSettings
  return {
    emailEnabled: row.email_address !== null,
    emailAddress: row.email_address,
    smsEnabled: row.sms_phone_number !== null,
    smsPhoneNumber: row.sms_phone_number,
    alertTypes: JSON.parse(row.alert_types) as AlertType[],
  }
}

/** The channels that are on. While none is, alerts go to the log. */
export const enabledChannels = ({ emailEnabled, smsEnabled }: AlertSettings): ('email' | 'sms')[] => [
  ...(emailEnabled ? (['email'] as const) : []),
  ...(smsEnabled ? (['sms'] as const) : []),
]

/** Throws INVALID_INPUT with the message of `problemOf`. The audit entry contains no address and no phone number. */
export async function saveSettings(core: Core, founder: Founder, given: AlertSettings) {
  const problem = problemOf(given)
  if (problem !== undefined) {
    const { field, text } = problem
    throw new AppError('INVALID_INPUT', { message: text, details: [{ path: field, message: text }] })
  }
  const { emailEnabled, emailAddress, smsEnabled, smsPhoneNumber } = given
  const types = alertTypes.filter((type) => given.alertTypes.includes(type))
  const at = core.clock.now()
  return core.db.write(async (tx) => {
    await requireConfirmed(tx, core, founder)
    await upsertSettings(tx, {
      email_address: emailEnabled ? email.parse(emailAddress) : null,
      sms_phone_number: smsEnabled ? (smsPhoneNumber as string).trim() : null,
      alert_types: JSON.stringify(types),
      changed_at: at,
    })
    await audit(tx, {
      action: 'alert_settings_changed',
      actorId: 'founder',
      address: founder.address,
      details: { emailEnabled, smsEnabled, alertTypes: types.join(' ') },
      at,
    })
    return readSettings(tx)
  })
}
