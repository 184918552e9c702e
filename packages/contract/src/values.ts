import { z } from 'zod'
import { idPattern } from './fileRef.ts'
import { limits } from './limits.ts'
import { isVisible, withoutHidden } from './visible.ts'

/** Forms of single values that several calls share. */

export const id = z.string().regex(idPattern, 'Invalid UUID').meta({ format: 'uuid' })
export const time = z.int().nonnegative().describe('milliseconds since 1970 UTC')
export const nothing = z.object({})
export const count = z.int().nonnegative()

/** The `limit` of a page in a query. */
export const pageSize = (max: number, usual: number) => z.coerce.number().int().min(1).max(max).default(usual)

const alphabet = /^[A-Za-z0-9_-]*$/

/** base64url without padding of `min` to `max` bytes; of exactly `min` bytes where `max` is absent. */
export function base64url(min: number, max = min) {
  const length = (bytes: number) => Math.ceil((bytes * 4) / 3)
  return z
    .string()
    .min(length(min))
    .max(length(max))
    .regex(alphabet)
    .refine((text) => text.length % 4 !== 1)
}

export const username = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9._-]{3,32}$/, 'Use 3 to 32 letters, digits, dots, underscores or hyphens.')

/** Refuses bidirectional controls: with them a name could pass for another person's. */
const oneLine: [form: RegExp, message: string] = [
  /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u,
  'Use one line, without marks that turn the direction of text.',
]

const headers = [
  'from|to|cc|bcc|sender|reply-to|in-reply-to|references?|return-path|delivered-to|errors-to|subject|date|received',
  'category|priority|message-id|mime-version|auto-submitted|dkim-signature|authentication-results',
  '(?:arc|content|disposition|list|resent|return|x)-[a-z-]+',
].join('|')
// No text begins with a colon: a first name "From" and a last name ": …" would form a header together.
const headerLike = new RegExp(String.raw`^\s*(?:${headers})?\s*[:\u2236\ua789]`, 'iu')

/** Whether a text begins like a mail header, for which it could pass where it is mailed or listed. */
const isHeaderLike = (text: string): boolean =>
  headerLike.test(text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC'))

/** Whether a text is one line without bidirectional controls that does not look like a mail header. */
export const isPlain = (text: string): boolean => oneLine[0].test(text) && !isHeaderLike(text)

/** A name or a subject: one line of 1 to `max` characters, at least one of them visible. */
export const plainLine = (max: number) =>
  z
    .string()
    .regex(...oneLine)
    .overwrite(withoutHidden)
    .trim()
    .max(max)
    .refine((text) => !isHeaderLike(text), 'Begin with something else than the name of a mail header.')
    .refine(isVisible, 'Use at least one character that can be seen.')

export const personName = plainLine(64)
/** The name or the type of an organization, as members and invited people see it. */
export const organizationWord = plainLine(limits.organizationNameCharacters)
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('Enter the full address, for example name@example.com.'))

/** The opaque sign-in secret: browsers send the base64url authKey, other clients any string. */
export const secret = z.string().min(1).max(1024)

/** The cost of Argon2id under which a browser derived a `secret` from the password (docs/protocol.md). */
export const passwordVersion = z.int().min(1).max(99)
