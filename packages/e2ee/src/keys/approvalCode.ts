import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, equalBytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { idBytes } from '../encoding/id.ts'
import { E2eeError } from '../errors.ts'
import { sha256 } from '../primitives/hash.ts'

// An entry point of its own: only the dialogs of an approval load it.

const nonceBytes = 32
const codes = 1_000_000n

function checkNonce(nonce: Bytes): void {
  if (nonce.length !== nonceBytes) throw new E2eeError('MALFORMED', 'A nonce has 32 bytes.')
}

/**
 * The commitment of the new browser, sent before the approving one has drawn its nonce: neither can search for a code.
 * `entryHash`: that of the new browser's entry.
 */
export function commitToApproval(entryHash: string, nonceOfNew: Bytes): string {
  checkNonce(nonceOfNew)
  return toBase64url(sha256(encode('approval-commit', [fromBase64urlOf(entryHash, 32), nonceOfNew])))
}

export interface Approval {
  userId: string
  /** The hash of the new browser's entry. */
  entryHash: string
  /** The browser that approves. */
  approverId: string
  nonceOfNew: Bytes
  nonceOfApprover: Bytes
}

/** The six digits that both browsers show. */
export function approvalCode({ userId, entryHash, approverId, nonceOfNew, nonceOfApprover }: Approval): string {
  checkNonce(nonceOfNew)
  checkNonce(nonceOfApprover)
  const fields = [idBytes(userId), fromBase64urlOf(entryHash, 32), idBytes(approverId), nonceOfApprover, nonceOfNew]
  const digest = sha256(encode('approval-code', fields))
  const number = new DataView(digest.buffer, digest.byteOffset).getBigUint64(0) % codes
  return number.toString().padStart(6, '0')
}

/** Whether the new browser has revealed the nonce that it had committed to. */
export const fitsCommitment = (commitment: string, { entryHash, nonceOfNew }: Approval): boolean =>
  equalBytes(fromBase64urlOf(commitment, 32), fromBase64urlOf(commitToApproval(entryHash, nonceOfNew), 32))
