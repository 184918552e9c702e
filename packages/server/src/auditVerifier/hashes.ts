/** Accepts only the canonical base64url of 32 bytes: the unused bits of the last character must be zero. */
export function isHash(text: unknown): boolean {
  if (typeof text !== 'string') return false
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === 32 && bytes.toString('base64url') === text
}
