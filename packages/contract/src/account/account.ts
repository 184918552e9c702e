import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { identityKey, keyReplacement, sealed } from '../keys/keys.ts'
import { atMostOneFactor, confirming, proof, severalFactors } from './secondFactor.ts'
import { user } from './session.ts'
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
    summary: "What the account overview shows besides GET /api/user: one's organization",
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
        password: secret.optional().describe('for another email address'),
        ...proof,
      })
      .refine(atMostOneFactor, severalFactors),
    result: user,
    errors: ['EMAIL_TAKEN', 'EMAIL_DOMAIN_REFUSED', 'PASSWORD_NEEDED', ...confirming],
    summary: "Change one's name and email address; contacts see it at once, and the old address is told",
  }),
  provePassword: endpoint({
    method: 'POST',
    path: '/api/account/proof',
    guard: 'member',
    limit: 'signIn',
    body: z.object({ password: secret }),
    result: nothing,
    errors: ['WRONG_PASSWORD', 'ACCOUNT_LOCKED'],
    summary: "Whether this is one's password; wrong ones count as failed sign-ins",
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
        wrappedAccountKey: sealed.optional().describe('for an account with keys, which it must not lose'),
        identityKey: identityKey
          .optional()
          .describe('whose account key is wrapped, unless `replacement` brings it: another one is refused'),
        replacement: keyReplacement
          .optional()
          .describe('new keys as well: somebody else may have the old ones. This session too becomes another one'),
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
    errors: [...confirming, 'NO_KEYS', 'PASSWORD_UNCHANGED', 'EPOCH_CONFLICT', 'STALE_VERSION'],
    summary: 'Replace the password and the key wrapped under it, or all keys; ends every other session',
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
        recoveryWrappedAccountKey: sealed,
        identityKey: identityKey.describe('whose account key is wrapped: another one is refused'),
        ...proof,
      })
      .refine(atMostOneFactor, severalFactors),
    result: nothing,
    errors: [...confirming, 'NO_KEYS', 'STALE_VERSION'],
    summary: 'Replace the recovery key; the old one stops working',
  }),
  confirmRecoveryKey: endpoint({
    method: 'PUT',
    path: '/api/account/recovery-key/saved',
    guard: 'member',
    beforeFactor: true,
    result: nothing,
    summary: 'Say that the recovery key shown at sign-up was saved; fine to call again',
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
    summary: "Delete one's own account with everything in it",
  }),
}
