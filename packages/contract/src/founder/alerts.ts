import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { email, pageSize, time } from '../values.ts'

export const alertTypes = ['mass_signup', 'failed_logins', 'system_error', 'flagged_message', 'account_locked'] as const
const alertType = z.enum(alertTypes)
export type AlertType = z.output<typeof alertType>

export const alertSettings = z.object({
  emailEnabled: z.boolean(),
  emailAddress: z.string().nullable().describe('null while email is off'),
  smsEnabled: z.boolean(),
  smsPhoneNumber: z.string().nullable().describe('E.164; null while SMS is off'),
  alertTypes: z.array(alertType),
})
export type AlertSettings = z.output<typeof alertSettings>

/**
 * The service that delivers the alerts of a channel; 'log': none is set up, and alerts are written to the server's log.
 */
export const alertServices = z.object({ email: z.enum(['smtp', 'sendgrid', 'log']), sms: z.enum(['twilio', 'log']) })
export type AlertServices = z.output<typeof alertServices>

/** 'log' is the server's log, for alerts when no other channel is on. A check of alert_deliveries has the same list. */
export const alertChannels = ['email', 'sms', 'log'] as const

/** The sentences of the specification. */
export const alertProblems = {
  emailMissing: 'Email address is required when email notifications are enabled.',
  emailInvalid: 'Please enter a valid email address.',
  phoneMissing: 'Phone number is required when SMS notifications are enabled.',
  phoneInvalid: 'Please enter a valid phone number (E.164 format, e.g., +1234567890).',
  typeMissing: 'Please select an alert type to test.',
} as const

export interface AlertProblem {
  field: 'emailAddress' | 'smsPhoneNumber'
  text: string
}

/** Returns the first reason why the settings cannot be saved, for the form and the server; undefined if they can. */
export function problemOf({ emailEnabled, emailAddress, smsEnabled, smsPhoneNumber }: AlertSettings) {
  const address = emailAddress?.trim() ?? ''
  const number = smsPhoneNumber?.trim() ?? ''
  const of = (field: AlertProblem['field'], text: string): AlertProblem => ({ field, text })
  if (emailEnabled && address === '') return of('emailAddress', alertProblems.emailMissing)
  if (emailEnabled && !email.safeParse(address).success) return of('emailAddress', alertProblems.emailInvalid)
  if (smsEnabled && number === '') return of('smsPhoneNumber', alertProblems.phoneMissing)
  if (smsEnabled && !/^\+?[1-9]\d{1,14}$/.test(number)) return of('smsPhoneNumber', alertProblems.phoneInvalid)
  return undefined
}

/** Reasons of a failed attempt, as shown. They quote nothing of the service's response. */
export const deliveryReasons = {
  unreachable: 'The service could not be reached.',
  timeout: 'The service did not respond in time.',
  busy: 'The service asked to try again later.',
  credentials: 'The service did not accept the credentials of this server.',
  refused: 'The service refused the alert. Check the address, the number and the sender.',
  redirected: 'The service redirected to another address, which is not followed.',
  trouble: 'The service reported an internal error.',
  too_many: 'The hourly limit of text messages was reached.',
  not_set_up: 'No service is set up for this channel.',
} as const
export type DeliveryReason = keyof typeof deliveryReasons

export const alertDelivery = z.object({
  channel: z.enum(alertChannels),
  state: z.enum(['waiting', 'sent', 'failed', 'logged']),
  reason: z
    .enum(Object.keys(deliveryReasons) as [DeliveryReason])
    .optional()
    .describe('why the last attempt failed, or why the alert was written to the log instead'),
  nextAt: time.optional().describe('time of the next attempt, while the alert is queued'),
})
export type AlertDelivery = z.output<typeof alertDelivery>

export const alert = z.object({
  id: z.string(),
  type: alertType,
  kind: z.enum(['alert', 'digest', 'test']),
  subject: z.string().describe('the subject of the alert: a username, an address, a call'),
  heldBack: z.int().describe('number of alerts that a digest stands for'),
  createdAt: time,
  deliveries: z.array(alertDelivery),
})
export type Alert = z.output<typeof alert>

export const alerts = {
  getSettings: endpoint({
    method: 'GET',
    path: '/api/founder/alert-settings',
    guard: 'founder',
    result: alertSettings.extend({ carriers: alertServices }),
    summary: 'The alert settings: recipients, types and available channels',
  }),
  putSettings: endpoint({
    method: 'PUT',
    path: '/api/founder/alert-settings',
    guard: 'founder',
    body: z.object({
      emailEnabled: z.boolean(),
      emailAddress: z.string().max(320).nullable(),
      smsEnabled: z.boolean(),
      smsPhoneNumber: z.string().max(64).nullable(),
      alertTypes: z.array(alertType).max(alertTypes.length),
    }),
    result: alertSettings.extend({ carriers: alertServices }),
    errors: ['CONFIRMATION_NEEDED'],
    summary: 'Replace the alert settings; the address of a channel that is off is not stored',
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/founder/test-alert',
    guard: 'founder',
    limit: 'testAlert',
    body: z.object({ alertType: z.string().max(64).nullish() }),
    result: z.object({ deliveries: z.array(alertDelivery) }),
    errors: ['ALERT_NOT_SENT'],
    summary: 'Send a test alert with the saved settings; returns once it was sent or has failed',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/founder/alerts',
    guard: 'founder',
    polled: true,
    byItself: true,
    query: z.object({ limit: pageSize(limits.alertsListed, limits.alertsShown) }),
    result: z.array(alert),
    summary: 'The latest alerts and their delivery, newest first',
  }),
}
