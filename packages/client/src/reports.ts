import { config as configContract } from '@privity/contract/config'
import type { Result } from '@privity/contract/endpoint'
import { type ReportedEvent, securityEvents as eventsContract } from '@privity/contract/securityEvents'
import { support as supportContract, type SupportDraft, type SupportRequest } from '@privity/contract/support'
import type { Call } from './transport/call.ts'
import type { Reportable } from './messages/report.ts'
import type { Session } from './session.ts'

/**
 * What a member tells those who run the server, and what the server says of itself. Nothing of it is end-to-end
 * encrypted, but a reported message, which only the founder opens.
 */
export interface Reports {
  /** What the deterrents noticed: one event or up to 20; each is stored once, however often it is sent. */
  events(events: readonly ReportedEvent[]): Promise<void>
  /** One's own requests for support, newest first. */
  supportRequests(): Promise<SupportRequest[]>
  /** With the same `id` it is stored once, however often it is sent. */
  askSupport(draft: SupportDraft): Promise<SupportRequest>
  /** Where the operator of this server reads mail. */
  supportEmail(): Promise<string | undefined>
  /**
   * Gives one received message to the founder, sealed, with what proves who wrote it. `reason`: 500 characters at most,
   * sealed too. Throws MESSAGE_NOT_FOUND, REPORTING_NOT_SET_UP, ALREADY_REPORTED, or what says why it cannot be opened.
   */
  message(message: Reportable, reason: string): Promise<void>
  health(): Promise<Result<typeof configContract.health>>
}

export const createReports = (call: Call, session: () => Pick<Session, 'envelopes'>): Reports => ({
  async message(message, reason) {
    const { reportMessage } = await import('./messages/report.ts')
    await reportMessage({ call, envelopes: session().envelopes }, message, reason)
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
