import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { browser } from '../keys/browsers.ts'
import { preferenceState, preferences } from './preferences.ts'
import { count, secret, time } from '../values.ts'
import { signedInSession, user } from './session.ts'

/** The server's facts about the safety of an account; browsers add their own. */
export const securityFacts = z.object({
  failedSignIns: z
    .object({
      count,
      lastAt: time.optional(),
      lastAddress: z.string().optional(),
      settledAt: time.optional().describe('failures up to this time were acknowledged and are not counted'),
    })
    .describe('wrong passwords and second factors in the last 30 days'),
  recoveryKeyAt: time.optional().describe('when the current recovery key was created; absent without keys'),
})
export type SecurityFacts = z.output<typeof securityFacts>

/** The account's data on the server that its owner may export: nothing sealed, no keys, no secrets. */
export const accountExport = z.object({
  madeAt: time,
  mailed: z.boolean().describe('whether an email notice is sent'),
  profile: user,
  organization: z.object({ name: z.string(), type: z.string() }),
  preferences,
  sessions: z.array(signedInSession),
  browsers: z.array(browser.omit({ entry: true, approval: true })),
  activity: z
    .array(
      z.object({
        at: time,
        action: z.string(),
        address: z.string().optional(),
        details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
      }),
    )
    .describe("the caller's newest audit log entries, newest first"),
})
export type AccountExport = z.output<typeof accountExport>

export const privacy = {
  securityFacts: endpoint({
    method: 'GET',
    path: '/api/account/security',
    guard: 'member',
    result: securityFacts,
    summary: "The server's facts about the security of the caller's account",
  }),
  settleFailures: endpoint({
    method: 'POST',
    path: '/api/account/security/failed-sign-ins/settlement',
    guard: 'member',
    body: z.object({ until: time.describe('`lastAt` of the failures shown; later ones still count') }),
    result: securityFacts,
    summary: "Acknowledge the failed sign-ins up to a time as the caller's own; a new password does so too",
  }),
  allowExports: endpoint({
    method: 'POST',
    path: '/api/account/data-downloads',
    guard: 'member',
    limit: 'signIn',
    body: z.object({ password: secret }),
    result: preferenceState,
    errors: ['WRONG_PASSWORD', 'ACCOUNT_LOCKED'],
    summary: 'Switch data downloads on, which requires the password; PATCH /api/preferences switches them off',
  }),
  createExport: endpoint({
    method: 'POST',
    path: '/api/account/exports',
    guard: 'member',
    limit: 'dataExport',
    result: accountExport,
    errors: ['EXPORTS_OFF'],
    summary: "The caller's data as stored on the server; the browser adds what it decrypts",
  }),
}
