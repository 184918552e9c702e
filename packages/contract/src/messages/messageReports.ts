import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { signature } from '../keys/keys.ts'
import { base64url, id, nothing } from '../values.ts'

/** X-Wing: reports are sealed to it in the recipient's browser and opened in the founder's. */
export const reportKey = z.object({ id, publicKey: base64url(1216) })
export type ReportKey = z.output<typeof reportKey>

/** HPKE: encapsulation, the report padded to 5,120 bytes, tag (docs/protocol.md). */
export const sealedReport = base64url(1120 + 5120 + 16)

export const messageReports = {
  key: endpoint({
    method: 'GET',
    path: '/api/message-reports/key',
    guard: 'member',
    result: z.object({ key: reportKey.optional().describe('absent until the founder has created one') }),
    summary: "The founder's public key that reports are sealed to",
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/message-reports',
    guard: 'member',
    body: z.object({
      messageId: id,
      keyId: id.describe('id of the key that it is sealed to'),
      sealed: sealedReport,
      signature: signature.describe('by the identity key of the reporter'),
    }),
    result: nothing,
    status: 201,
    errors: ['MESSAGE_NOT_FOUND', 'ALREADY_REPORTED', 'NO_KEYS', 'REPORTING_NOT_SET_UP', 'REPORT_KEY_CHANGED'],
    summary: 'Report a received message, sealed so that only the founder can read it',
  }),
}
