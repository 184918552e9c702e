import { timingSafeEqual } from 'node:crypto'
import type { ReceiptClaim } from '@privity/contract/founder/moderation'
import type { Core } from '../../../core/core.ts'
import { createReceipts } from '../../messages/encryptedContent.ts'

/** Whether this server issued the receipt for exactly this claim. The content of the message is not needed. */
export function isReceipt({ secrets }: Core, claim: ReceiptClaim): boolean {
  const row = {
    id: claim.messageId,
    sender_id: claim.from,
    created_at: claim.createdAt,
    identity_key: claim.identityKey,
  }
  const expected = createReceipts(secrets).of(row, claim.to, Buffer.from(claim.commitment, 'base64url'))
  const [right, given] = [expected, claim.receipt].map((text) => Buffer.from(text)) as [Buffer, Buffer]
  return right.length === given.length && timingSafeEqual(right, given)
}
