/** The one spelling of 32 bytes: unused bits of the last letter are no room for anything. */
export function isHash(text: unknown): boolean {
  if (typeof text !== 'string') return false
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === 32 && bytes.toString('base64url') === text
}
