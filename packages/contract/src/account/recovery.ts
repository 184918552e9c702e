import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { sealed } from '../keys/keys.ts'
import { sharedComputer, signedInUser } from './session.ts'
import { id, passwordVersion, secret, username } from '../values.ts'

export const recovery = {
  start: endpoint({
    method: 'POST',
    path: '/api/recovery',
    guard: 'public',
    limit: 'signIn',
    body: z.object({ username, recoveryProof: secret }),
    result: z.object({ userId: id, recoveryWrappedAccountKey: sealed }),
    errors: ['RECOVERY_REFUSED'],
    summary: 'Prove possession of the recovery key; returns the account key wrapped under it',
  }),
  finish: endpoint({
    method: 'POST',
    path: '/api/recovery/password',
    guard: 'public',
    limit: 'signIn',
    body: z.object({
      username,
      recoveryProof: secret,
      password: secret,
      passwordVersion: passwordVersion.default(1),
      wrappedAccountKey: sealed,
      sharedComputer,
    }),
    result: signedInUser,
    errors: ['RECOVERY_REFUSED', 'ACCOUNT_UNAVAILABLE', 'SECOND_FACTOR_REQUIRED'],
    summary:
      'Set a new password with the recovery key; ends every session and starts a new one, after the second factor if one is on',
  }),
}
