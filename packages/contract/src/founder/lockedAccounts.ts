import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { count, id, time } from '../values.ts'

export const lockedAccount = z.object({
  id: id.describe('id of the user'),
  username: z.string(),
  lockedUntil: time.describe('the latest one, if several browsers are locked'),
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
      count: count.describe('number of all locked accounts'),
      lockedAccounts: z.array(lockedAccount).describe('the 100 whose locks end last'),
      unknownNames: count.describe('locked usernames that do not exist'),
    }),
    summary: 'Accounts locked after 5 failed sign-ins, for all browsers or for one',
  }),
  unlock: endpoint({
    method: 'POST',
    path: '/api/founder/unlock-account/:id',
    guard: 'founder',
    params: z.object({ id }),
    result: z.object({ id, username: z.string() }),
    errors: ['ACCOUNT_NOT_FOUND', 'CONFIRMATION_NEEDED'],
    summary: 'Unlock an account for all browsers; may be repeated',
  }),
}
