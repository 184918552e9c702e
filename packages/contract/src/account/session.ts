import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { base64url, count, email, id, nothing, passwordVersion, personName, secret, time, username } from '../values.ts'
import { newKeys } from '../keys/keys.ts'

export const role = z.enum(['user', 'org_admin', 'super_admin'])
export type Role = z.output<typeof role>

/** The facts about a user that the user and the administrators see alike. */
export const userProfile = z.object({
  id,
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role,
  isActive: z.boolean(),
  suspended: z.boolean().describe('suspended by the operator of this server'),
  createdAt: time,
})
export type UserProfile = z.output<typeof userProfile>

/** The signed-in user's own view of their account. */
export const user = userProfile.extend({
  connectionCode: z.string().describe('ABC-DEF-123'),
  hasKeys: z.boolean(),
  recoveryKeyUnsaved: z
    .boolean()
    .optional()
    .describe('true until the caller confirms that the recovery key shown at sign-up was saved; absent otherwise'),
  passwordVersion: passwordVersion.optional().describe('derivation version of the current password; absent: 1'),
})
export type User = z.output<typeof user>

/** The server's half of the key under which a browser stores the account key during a session. */
export const keyShare = base64url(32)

/** The signed-in user with their session: only that session's cookie gets its share. */
export const signedInUser = user.extend({
  session: z.object({
    id,
    keyShare: keyShare.describe(
      'with a key of the browser it opens the account key stored there; ends with the session',
    ),
    sharedComputer: z
      .boolean()
      .optional()
      .describe('true if it was begun on a shared computer: its browser stores nothing; absent otherwise'),
  }),
})
export type SignedInUser = z.output<typeof signedInUser>

export const sharedComputer = z
  .boolean()
  .default(false)
  .describe('the cookies of the session end with the browser, which is not remembered as known')

export const signedInSession = z.object({
  id,
  current: z.boolean(),
  createdAt: time,
  lastUsedAt: time,
  address: z.string(),
  device: z.string(),
})
export type SignedInSession = z.output<typeof signedInSession>

export const session = {
  getUser: endpoint({
    method: 'GET',
    path: '/api/user',
    guard: 'member',
    beforeFactor: true,
    result: signedInUser,
    summary: 'The signed-in user',
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/login',
    guard: 'public',
    limit: 'signIn',
    body: z.object({
      username: z.string().trim().toLowerCase().min(1).max(64),
      password: secret,
      passwordVersion: passwordVersion.default(1),
      formerPasswords: z
        .array(z.object({ password: secret, passwordVersion }))
        .max(4)
        .default([])
        .describe('the same password derived under earlier versions, for an account that still uses one'),
      sharedComputer,
    }),
    result: signedInUser,
    errors: ['WRONG_CREDENTIALS', 'ACCOUNT_LOCKED', 'ACCOUNT_UNAVAILABLE', 'SECOND_FACTOR_REQUIRED'],
    summary: 'Sign in; sets a session cookie, or returns a ticket for the second factor',
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/register',
    guard: 'public',
    limit: 'signUp',
    body: z.object({
      username,
      password: secret,
      passwordVersion: passwordVersion.default(1),
      firstName: personName,
      lastName: personName,
      email,
      invitation: z.string().min(1).max(128).optional(),
      keys: newKeys.optional(),
      recoveryKeyUnsaved: z
        .boolean()
        .optional()
        .describe('whether the recovery key is yet to be shown; the account reports this until `confirmRecoveryKey`'),
    }),
    result: signedInUser,
    status: 201,
    errors: [
      'USERNAME_TAKEN',
      'EMAIL_TAKEN',
      'USER_ID_TAKEN',
      'INVITATION_INVALID',
      'INVITATION_NEEDED',
      'EMAIL_DOMAIN_REFUSED',
    ],
    summary: 'Create an account and sign in',
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/logout',
    guard: 'public',
    result: nothing,
    summary: 'Sign out; does nothing if already signed out',
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/sessions',
    guard: 'member',
    result: z.array(signedInSession),
    summary: "The caller's sessions, newest first",
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id',
    guard: 'member',
    params: z.object({ id }),
    result: nothing,
    errors: ['NOT_FOUND'],
    summary: "End one of the caller's sessions",
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/sessions',
    guard: 'member',
    result: z.object({ ended: count }),
    summary: "End all of the caller's sessions except this one",
  }),
  generateCode: endpoint({
    method: 'POST',
    path: '/api/connection-code/generate',
    guard: 'member',
    result: z.object({ connectionCode: z.string() }),
    summary: "Replace the caller's connection code; the old one stops working",
  }),
}
