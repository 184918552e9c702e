import { config as configContract } from '@privity/contract/config'
import type { Result } from '@privity/contract/endpoint'
import { type ReportedEvent, securityEvents as eventsContract } from '@privity/contract/securityEvents'
import { support as supportContract, type SupportDraft, type SupportRequest } from '@privity/contract/support'
import type { Call } from './transport/call.ts'
import type { Reportable } from './messages/report.ts'
import type { Session } from './session.ts'

/**
 * Calls to the operators of the server: events, support requests, reported messages, and the server's state. Only a
 * reported message is end-to-end encrypted; the founder decrypts it.
 */
export interface Reports {
  /** Reports up to 20 events that the deterrents detected. Each is stored once, however often it is sent. */
  events(events: readonly ReportedEvent[]): Promise<void>
  /** The member's own support requests, newest first. */
  supportRequests(): Promise<SupportRequest[]>
  /** A draft with the same `id` is stored once, however often it is sent. */
  askSupport(draft: SupportDraft): Promise<SupportRequest>
  /** The operator's email address. */
  supportEmail(): Promise<string | undefined>
  /**
   * Reports a received message to the founder, encrypted, with the proof of its authorship. `reason`: at most 500
   * characters, encrypted too. Throws MESSAGE_NOT_FOUND, REPORTING_NOT_SET_UP, ALREADY_REPORTED, or the reason why the
   * message cannot be decrypted.
   */
  message(message: Reportable, reason: string): Promise<void>
  health(): Promise<Result<typeof configContract.health>>
}

export const createReports = (call: Call, session: () => Pick<Session, 'envelopes' | 'keyring'>): Reports => ({
  async message(message, reason) {
    const { reportMessage } = await import('./messages/report.ts')
    const { envelopes, keyring } = session()
    await reportMessage({ call, envelopes, keyring }, message, reason)
  },
  async events(events) {
    const [only, ...more] = events
    if (only && more.length === 0) await call(eventsContract.report, { body: only })
    else await call(eventsContract.reportMany, { body: { events: [...events] } })
  },
  supportRequests: () => call(supportContract.list, {}),
  askSupport: (draft) => call(supportContract.create, { body: draft }),
  supportEmail: async () => (await call(configContract.get, {})).supportEmail,
  health: () => call(configContract.health, {}),
})
