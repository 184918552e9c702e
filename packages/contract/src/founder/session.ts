import { z } from 'zod'
import { signedInSession } from '../account/session.ts'
import { endpoint } from '../endpoint.ts'
import { base64url, id, nothing, secret } from '../values.ts'

export const founderSession = z.object({
  isFounder: z.literal(true),
  username: z.string(),
  session: z
    .object({ id, keyShare: base64url(32) })
    .describe('the share of the session, with which the browser opens the key that it stores'),
  /** Present while the password is the one generated at the first start: until it is replaced, other calls refuse. */
  mustReplacePassword: z.literal(true).optional(),
})
export type FounderSession = z.output<typeof founderSession>

/** One of the founder's signed-in browsers. */
export const founderBrowser = signedInSession
export type FounderBrowser = z.output<typeof founderBrowser>

/**
 * The founder's browsers send as `password` a value derived from the password and this salt, so the server never sees
 * the password itself. Members' browsers derive from the username instead of a salt.
 */
export const founderAccess = z.object({ username: z.string(), salt: base64url(16) })
export type FounderAccess = z.output<typeof founderAccess>

export const founderSessions = {
  access: endpoint({
    method: 'GET',
    path: '/api/founder/access',
    guard: 'public',
    result: founderAccess,
    summary: "What the founder's sign-in form needs: the fixed username and the salt of the key derivation",
  }),
  verify: endpoint({
    method: 'GET',
    path: '/api/founder/verify',
    guard: 'founder',
    byItself: true,
    beforePassword: true,
    result: founderSession,
    summary: 'Whether the founder is signed in',
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/founder/login',
    guard: 'public',
    limit: 'founderSignIn',
    body: z.object({ username: z.string().trim().toLowerCase().min(1).max(64), password: secret }),
    result: founderSession,
    errors: ['WRONG_CREDENTIALS', 'ACCOUNT_LOCKED', 'SECOND_FACTOR_REQUIRED'],
    summary: 'Sign in as the founder; sets a session cookie, or returns a ticket for the second factor',
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/founder/logout',
    guard: 'public',
    result: nothing,
    summary: 'Sign out the founder; does nothing if already signed out',
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/founder/sessions',
    guard: 'founder',
    result: z.array(founderBrowser),
    summary: "The founder's sessions, newest first",
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/founder/sessions/:id',
    guard: 'founder',
    params: z.object({ id }),
    result: nothing,
    errors: ['NOT_FOUND'],
    summary: "End one of the founder's sessions",
  }),
}
