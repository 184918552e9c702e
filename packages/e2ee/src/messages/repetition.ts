import type { AccountKey } from '../keys/accountKey.ts'
import { toBase64url } from '../encoding/base64url.ts'
import { toUtf8 } from '../encoding/bytes.ts'
import { deriveBytes, deriveInfo } from '../primitives/derive.ts'
import { hmacSha256 } from '../primitives/hash.ts'

const minCharacters = 20

const normalize = (text: string) => text.toWellFormed().normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()

/**
 * Whether a text is long enough for its repetition to be counted: 20 characters or more, with runs of spaces counted
 * once.
 */
export const isCountedText = (text: string): boolean => Array.from(normalize(text)).length >= minCharacters

/**
 * base64url of HMAC-SHA-256: equal for equal texts of one sender on one day (`day` such as '2030-01-31'), and revealing
 * nothing else. Case, spacing and Unicode form do not count.
 */
export async function repetitionTag(accountKey: AccountKey, day: string, text: string): Promise<string> {
  const key = await deriveBytes(accountKey, deriveInfo('repetition', toUtf8(day)))
  return toBase64url(hmacSha256(key, toUtf8(normalize(text))))
}
