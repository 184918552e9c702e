import { z } from 'zod'
import { base64url } from './values.ts'

/** The file key sealed and signed by the owner's browser for the recipient's epoch. */
export const grant = z.object({
  epochTo: z.int().min(1),
  sealedKey: base64url(1120 + 32 + 16),
  signature: base64url(64),
})
export type Grant = z.output<typeof grant>
