import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { proof as factors } from '../account/secondFactor.ts'
import { base64url, count, nothing, secret, time } from '../values.ts'
import { rewrappedReportKey } from './reportKeys.ts'
import { founderSession } from './session.ts'

const { code, recoveryCode } = factors
const proof = { code, recoveryCode }
export interface FounderProof {
  code?: string | undefined
  recoveryCode?: string | undefined
}

const given = (body: FounderProof) => [body.code, body.recoveryCode].filter((part) => part !== undefined).length
const several = { path: ['code'], error: 'Give one second factor, not several.' }

export const founderFactorState = z.object({ since: time.nullable(), recoveryCodesLeft: count })
export type FounderFactorState = z.output<typeof founderFactorState>

/** The details of SECOND_FACTOR_REQUIRED at the founder's sign-in. */
export const founderFactorNeeded = z.object({ ticket: z.string() })

const confirming = ['WRONG_PASSWORD', 'ACCOUNT_LOCKED', 'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_WRONG'] as const

export const founderSecondFactor = {
  state: endpoint({
    method: 'GET',
    path: '/api/founder/second-factor',
    guard: 'founder',
    result: founderFactorState,
    summary: 'Whether the founder uses an authenticator app, and the remaining recovery codes',
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/founder/second-factor/totp',
    guard: 'founder',
    limit: 'founderSignIn',
    body: z.object({ password: secret, ...proof }).refine((body) => given(body) <= 1, several),
    result: z.object({
      secret: z.string().describe('base32'),
      uri: z.string().describe('otpauth://'),
      setup: z.string().describe('required by the confirmation, in the same session'),
    }),
    errors: confirming,
    summary:
      'Start setting up an authenticator app or a replacement; nothing changes until its first code is confirmed',
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/founder/second-factor/totp/confirmation',
    guard: 'founder',
    limit: 'founderSignIn',
    body: z.object({ setup: z.string().min(1).max(2048), code: code.unwrap() }),
    result: z.object({ state: founderFactorState, recoveryCodes: z.array(z.string()) }),
    errors: ['SECOND_FACTOR_WRONG', 'SETUP_EXPIRED'],
    summary: 'Activate the authenticator app with one of its codes; returns new recovery codes once',
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/founder/second-factor/removal',
    guard: 'founder',
    limit: 'founderSignIn',
    body: z.object({ password: secret, ...proof }).refine((body) => given(body) <= 1, several),
    result: founderFactorState,
    errors: [...confirming, 'SECOND_FACTOR_OFF'],
    summary: 'Remove the authenticator app; the password alone signs in again',
  }),
  confirmSession: endpoint({
    method: 'POST',
    path: '/api/founder/session/confirmation',
    guard: 'founder',
    limit: 'founderSignIn',
    body: z.object({ password: secret, ...proof }).refine((body) => given(body) <= 1, several),
    result: z.object({ confirmedUntil: time }),
    errors: confirming,
    summary: "Confirm the founder's identity with password and second factor; a sign-in does so too",
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/founder/login/second-factor',
    guard: 'public',
    limit: 'founderSignIn',
    body: z
      .object({ ticket: secret, ...proof })
      .refine((body) => given(body) === 1, { path: ['code'], error: 'Give a code or a backup code.' }),
    result: founderSession,
    errors: ['TICKET_INVALID', 'SECOND_FACTOR_WRONG', 'ACCOUNT_LOCKED'],
    summary: "Complete the founder's sign-in with the second factor; sets the session cookie",
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/founder/password',
    guard: 'founder',
    beforePassword: true,
    limit: 'founderSignIn',
    body: z
      .object({
        password: secret,
        ...proof,
        newPassword: secret,
        salt: base64url(16).describe("salt of the new password's derivation"),
        reportKeys: z.array(rewrappedReportKey).max(1000).describe('wrapped under the new password'),
      })
      .refine((body) => given(body) <= 1, several),
    result: nothing,
    errors: [...confirming, 'PASSWORD_IN_ENVIRONMENT'],
    summary: "Change the founder's password and rewrap the report keys; ends every other session",
  }),
}
