import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { count, id, time } from '../values.ts'

export const lockedAccount = z.object({
  id: id.describe('of the user'),
  username: z.string(),
  lockedUntil: time.describe('the latest, where several browsers are locked out'),
})
export type LockedAccount = z.output<typeof lockedAccount>

export const lockedAccounts = {
  list: endpoint({
    method: 'GET',
    path: '/api/founder/locked-accounts',
    guard: 'founder',
    polled: true,
    byItself: true,
    result: z.object({
      count: count.describe('of all that are locked'),
      lockedAccounts: z.array(lockedAccount).describe('the 100 locked for longest from now'),
      unknownNames: count.describe('names that somebody tried until they were locked, and that are no user'),
    }),
    summary: 'Accounts that nobody, or one of their browsers, can sign in to after 5 failed sign-ins',
  }),
  unlock: endpoint({
    method: 'POST',
    path: '/api/founder/unlock-account/:id',
    guard: 'founder',
    params: z.object({ id }),
    result: z.object({ id, username: z.string() }),
    errors: ['ACCOUNT_NOT_FOUND'],
    summary: 'Forget the failed sign-ins of an account, whichever browser they came from; fine where there are none',
  }),
}
