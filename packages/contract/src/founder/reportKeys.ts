import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { base64url, id, nothing, time } from '../values.ts'

const publicKey = base64url(1216).describe('X-Wing')
/** AES-256-GCM of the 32-byte seed, under a key that only the founder's password gives. */
const wrappedSeed = base64url(60, 256)

export const wrappedReportKey = z.object({ id, publicKey, wrappedSeed, createdAt: time })
export type WrappedReportKey = z.output<typeof wrappedReportKey>

/** The seed of one key, rewrapped. */
export const rewrappedReportKey = z.object({ id, wrappedSeed })

export const reportKeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/founder/report-keys',
    guard: 'founder',
    byItself: true,
    result: z.object({ keys: z.array(wrappedReportKey) }),
    summary: 'The current and former key pairs for reports, newest first; the private keys are wrapped',
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/founder/report-keys',
    guard: 'founder',
    body: z.object({ id, publicKey, wrappedSeed, replaces: id.nullable().describe('id of the newest key so far') }),
    result: nothing,
    status: 201,
    errors: ['STALE_VERSION', 'CONFIRMATION_NEEDED'],
    summary: 'Publish a new report key; new reports are sealed to it',
  }),
}
