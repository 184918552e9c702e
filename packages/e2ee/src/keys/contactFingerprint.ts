import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { encode } from '../encoding/canonical.ts'
import { idBytes } from '../encoding/id.ts'
import { sha256 } from '../primitives/hash.ts'
import type { Participant } from './safetyNumber.ts'

const fingerprintBytes = 16

/**
 * The fingerprint of a user's identity key in a link: base64url of 16 bytes. Its maker gains nothing from two keys with
 * one fingerprint, so 128 bits suffice.
 */
export const contactFingerprint = ({ userId, identityKey }: Participant): string =>
  toBase64url(sha256(encode('contact', [idBytes(userId), fromBase64urlOf(identityKey, 32)])).slice(0, fingerprintBytes))
