import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { confirmation as proofs, confirming } from './secondFactor.ts'
import { time } from '../values.ts'

/**
 * What gives or takes power over others asks who is there: a session alone, which may have been stolen, does not do
 * it. Calls that need it answer CONFIRMATION_NEEDED where this session was not confirmed in the last
 * limits.confirmationTime; they can be repeated as they were once it is. A sign-in confirms its session.
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
    summary: 'Confirm with password and second factor that it is you who uses this session',
  }),
}
