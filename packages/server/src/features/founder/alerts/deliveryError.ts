import { isRefused } from '../../../core/mail/mailer.ts'
import type { DeliveryReason } from '@privity/contract/founder/alerts'

/** A failed attempt; `lasting` if a retry cannot succeed. */
export class NotDelivered extends Error {
  readonly reason: DeliveryReason
  readonly lasting: boolean
  constructor(reason: DeliveryReason, lasting = false) {
    super(reason)
    this.name = 'NotDelivered'
    this.reason = reason
    this.lasting = lasting
  }
}

/** Keeps only the kind of an error of nodemailer, because its text may repeat addresses. */
export function fromMail(thrown: unknown): NotDelivered {
  const error = thrown as { code?: string; responseCode?: number }
  if (error.code === 'EAUTH') return new NotDelivered('credentials')
  if (error.code === 'ETIMEDOUT') return new NotDelivered('timeout')
  if (error.responseCode === undefined) return new NotDelivered('unreachable')
  return isRefused(error) ? new NotDelivered('refused', true) : new NotDelivered('busy')
}
