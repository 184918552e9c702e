import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { confirmation as proofs, confirming } from './secondFactor.ts'
import { time } from '../values.ts'

/**
 * Actions that change other people's access need more than a session, which may have been stolen. Such calls throw
 * CONFIRMATION_NEEDED unless the session was confirmed in the last limits.confirmationTime; once it is confirmed, they
 * may be repeated. A sign-in confirms its session.
 */
export const confirmation = {
  confirm: endpoint({
    method: 'POST',
    path: '/api/session/confirmation',
    guard: 'administrator',
    limit: 'signIn',
    body: proofs,
    result: z.object({ confirmedUntil: time }),
    errors: confirming,
    summary: "Confirm the caller's identity with password and second factor",
  }),
}
