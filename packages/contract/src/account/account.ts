import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { maxLiveEpochs, number, recoveryPair, sealedSeed } from '../keys/browserKeys.ts'
import { identityKey, keyReplacement, sealed } from '../keys/keys.ts'
import { atMostOneFactor, confirming, proof, severalFactors } from './secondFactor.ts'
import { keyShare, user } from './session.ts'
import { email, nothing, passwordVersion, personName, secret, username } from '../values.ts'

/**
 * Members' changes to their own account. A wrong password of a signed-in member counts as a failed sign-in, so that a
 * stolen session is no way to guess it. Changes of password, email address, recovery key and deletion also need the
 * second factor where one is on.
 */
export const account = {
  overview: endpoint({
    method: 'GET',
    path: '/api/account',
    guard: 'member',
    result: z.object({ organization: z.object({ name: z.string(), type: z.string() }) }),
    summary: "The account overview beyond GET /api/user: the caller's organization",
  }),
  updateProfile: endpoint({
    method: 'PATCH',
    path: '/api/user',
    guard: 'member',
    limit: 'signIn',
    body: z
      .object({
        firstName: personName,
        lastName: personName,
        email,
        password: secret.optional().describe('required to change the email address'),
        ...proof,
      })
      .refine(atMostOneFactor, severalFactors),
    result: user,
    errors: ['EMAIL_TAKEN', 'EMAIL_DOMAIN_REFUSED', 'PASSWORD_NEEDED', ...confirming],
    summary: "Change the caller's name and email address; contacts see it at once, and the old address is notified",
  }),
  provePassword: endpoint({
    method: 'POST',
    path: '/api/account/proof',
    guard: 'member',
    limit: 'signIn',
    body: z.object({ password: secret }),
    result: nothing,
    errors: ['WRONG_PASSWORD', 'ACCOUNT_LOCKED'],
    summary: "Check the caller's password; a wrong one counts as a failed sign-in",
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/account/password',
    guard: 'member',
    limit: 'signIn',
    body: z
      .object({
        currentPassword: secret,
        newPassword: secret,
        passwordVersion: passwordVersion.default(1).describe('of the new password'),
        wrappedAccountKey: sealed.optional().describe('required if the account has keys'),
        identityKey: identityKey
          .optional()
          .describe('identity whose account key is wrapped; must be the current one unless `replacement` is given'),
        replacement: keyReplacement
          .optional()
          .describe('new keys, if somebody else may have the old ones; this session is replaced too'),
        keyShare: keyShare
          .optional()
          .describe('with `replacement`: the share of the session that follows, chosen by the browser'),
        ...proof,
      })
      .refine(atMostOneFactor, severalFactors)
      .refine(
        (body) =>
          body.identityKey !== undefined || body.replacement !== undefined || body.wrappedAccountKey === undefined,
        { path: ['identityKey'], message: 'Whose account key is wrapped must be said.' },
      ),
    bodyBytes: 512 * 1024,
    result: nothing,
    errors: [...confirming, 'NO_KEYS', 'PASSWORD_UNCHANGED', 'EPOCH_CONFLICT', 'STALE_VERSION', 'BROWSERS_CHANGED'],
    summary: 'Change the password and the key wrapped under it, or replace all keys; ends every other session',
  }),
  renewRecoveryKey: endpoint({
    method: 'PUT',
    path: '/api/account/recovery-key',
    guard: 'member',
    limit: 'signIn',
    body: z
      .object({
        password: secret,
        recoveryProof: secret,
        recovery: recoveryPair,
        seeds: z
          .array(sealedSeed)
          .max(maxLiveEpochs)
          .optional()
          .describe('with "Only approved browsers": the seeds that this browser holds, sealed to the new pair'),
        after: number.optional().describe('with seeds: the newest epoch known; EPOCH_CONFLICT if there is a newer one'),
        recoveryWrappedAccountKey: sealed,
        identityKey: identityKey.describe('identity whose account key is wrapped; must be the current one'),
        ...proof,
      })
      .refine(atMostOneFactor, severalFactors),
    bodyBytes: 256 * 1024,
    result: nothing,
    errors: [...confirming, 'NO_KEYS', 'STALE_VERSION', 'EPOCH_CONFLICT', 'BROWSERS_CHANGED', 'BROWSER_NOT_APPROVED'],
    summary: 'Replace the recovery key; the old one stops working',
  }),
  confirmRecoveryKey: endpoint({
    method: 'PUT',
    path: '/api/account/recovery-key/saved',
    guard: 'member',
    beforeFactor: true,
    result: nothing,
    summary: 'Confirm that the recovery key shown at sign-up was saved; may be repeated',
  }),
  /** Not DELETE: the password must travel in a body, which proxies may take from a DELETE. */
  remove: endpoint({
    method: 'POST',
    path: '/api/account/deletion',
    guard: 'member',
    limit: 'signIn',
    body: z.object({ username, password: secret, ...proof }).refine(atMostOneFactor, severalFactors),
    result: nothing,
    errors: [...confirming, 'LAST_SUPER_ADMIN'],
    summary: "Delete the caller's account with everything in it",
  }),
}
