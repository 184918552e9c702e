import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, fromUtf8, integerBytes, readInteger, toUtf8, writeUtf8 } from '../encoding/bytes.ts'
import { decode, encode } from '../encoding/canonical.ts'
import { contextBytes, type MessageContext, readContext, writeContext } from './context.ts'
import { E2eeError } from '../errors.ts'
import { idBytes, idText } from '../encoding/id.ts'

/** A quoted message. The id and the expiry (ms) are those of the quoted message, in the sender's words. */
export interface Quote {
  messageId: string
  expiresAt: number
  /** At most 136 bytes of UTF-8. */
  excerpt: string
}

/** A file. `size` is in bytes of the plain file; the hashes are base64url of SHA-256. */
export interface FileBody {
  kind: 'file'
  name: string
  type: string
  size: number
  keyHash: string
  bodyHash: string
  /** Sealed under the file key, in base64url: `sealThumbnail` makes it for this name and type. */
  thumbnail?: string | undefined
}

/** The content of a message. */
export type MessageBody = { kind: 'text'; text: string; quote?: Quote | undefined } | FileBody

const maxCharacters = 500
const maxNameUnits = 255
const maxTypeUnits = 127
/** The room that a text of 500 characters of 4 bytes leaves in a message. */
export const maxExcerptBytes = 136

/** 0x01, 0x02, 0x11, 0x12 and 0x21 to 0x24 are never used again: those bodies had another context, or none. */
const kinds = { text: 0x31, file: 0x32, quotingText: 0x33, fileWithThumbnail: 0x34 } as const
const contentOffset = 1 + contextBytes

/** The longest body. One with a thumbnail has this length. */
export const maxBodyBytes = 2270

/** Whether the body is of a file: without a thumbnail, or with one. */
export const isFile = ([kind]: Bytes): boolean => kind === kinds.file || kind === kinds.fileWithThumbnail

/** Whether the text has more than 500 Unicode code points. */
function isTooLong(text: string): boolean {
  if (text.length <= maxCharacters) return false
  if (text.length > 2 * maxCharacters) return true
  let count = 0
  for (const _ of text) count++
  return count > maxCharacters
}

function checkText(text: string): void {
  if (isTooLong(text)) throw new E2eeError('TOO_LONG', `A message has at most ${maxCharacters} characters.`)
}

function checkExcerpt({ length }: Bytes): void {
  if (length > maxExcerptBytes) throw new E2eeError('TOO_LONG', `A quote has at most ${maxExcerptBytes} bytes.`)
}

function checkFile(name: string, type: string): void {
  if (name.length > maxNameUnits) throw new E2eeError('TOO_LONG', `A file name has at most ${maxNameUnits} characters.`)
  if (type.length > maxTypeUnits) throw new E2eeError('TOO_LONG', `A file type has at most ${maxTypeUnits} characters.`)
}

/**
 * Writes kind (1 byte) || context (76) || UTF-8 of the text, or the fields of a file or of a text with its quote, to
 * the start of `target`. Returns the length. Throws TOO_LONG, or MALFORMED for half a character or a wrong context.
 */
export function writeBody(body: MessageBody, context: MessageContext, target: Bytes): number {
  if (target.length < contentOffset) throw new E2eeError('TOO_LONG', 'The message is too long to seal.')
  target[0] = kinds[kindOf(body)]
  writeContext(context, target.subarray(1, contentOffset))
  const content = target.subarray(contentOffset)
  const written = body.kind === 'text' ? writeText(body, content) : writeFile(body, content)
  if (written === undefined) throw new E2eeError('TOO_LONG', 'The message is too long to seal.')
  return contentOffset + written
}

function kindOf(body: MessageBody): keyof typeof kinds {
  if (body.kind === 'file') return body.thumbnail === undefined ? 'file' : 'fileWithThumbnail'
  return body.quote === undefined ? 'text' : 'quotingText'
}

function writeText({ text, quote }: MessageBody & { kind: 'text' }, target: Bytes): number | undefined {
  checkText(text)
  if (quote === undefined) return writeUtf8(text, target)
  const excerpt = toUtf8(quote.excerpt)
  checkExcerpt(excerpt)
  return writeFields(
    'quote',
    [idBytes(quote.messageId), integerBytes(quote.expiresAt, 8), excerpt, toUtf8(text)],
    target,
  )
}

function writeFields(label: string, fields: Bytes[], target: Bytes): number | undefined {
  const bytes = encode(label, fields)
  if (bytes.length > target.length) return undefined
  target.set(bytes)
  return bytes.length
}

function writeFile(file: FileBody, target: Bytes): number | undefined {
  checkFile(file.name, file.type)
  const fields = [
    toUtf8(file.name),
    toUtf8(file.type),
    integerBytes(file.size, 8),
    fromBase64urlOf(file.keyHash, 32),
    fromBase64urlOf(file.bodyHash, 32),
  ]
  if (file.thumbnail === undefined) return writeFields('file', fields, target)
  fields.push(fromBase64urlOf(file.thumbnail, sealedThumbnailBytes(file)))
  return writeFields('file', fields, target)
}

/** The room that a body leaves for a thumbnail, which fills it: its length shows nothing of the picture. */
export function sealedThumbnailBytes({ name, type }: Pick<FileBody, 'name' | 'type'>): number {
  const others = [toUtf8(name), toUtf8(type), new Uint8Array(8), new Uint8Array(32), new Uint8Array(32)]
  return maxBodyBytes - contentOffset - encode('file', [...others, new Uint8Array(0)]).length
}

/** The reverse. Refuses any bytes that writeBody does not write. */
export function readBody(bytes: Bytes): { body: MessageBody; context: MessageContext } {
  const [kind] = bytes
  const read = readers.get(kind)
  if (!read) throw new E2eeError('MALFORMED', 'The message is of an unknown kind.')
  const context = readContext(bytes.subarray(1, contentOffset))
  const content = bytes.subarray(contentOffset)
  return { body: read(content), context }
}

const readers = new Map<number | undefined, (content: Bytes) => MessageBody>([
  [kinds.text, readText],
  [kinds.file, readFile],
  [kinds.quotingText, readQuotingText],
  [kinds.fileWithThumbnail, readFileWithThumbnail],
])

function readText(bytes: Bytes): MessageBody & { kind: 'text' } {
  const text = fromUtf8(bytes)
  checkText(text)
  return { kind: 'text', text }
}

function readQuotingText(rest: Bytes): MessageBody {
  const fields = decode('quote', rest, [16, 8, undefined, undefined]) as [Bytes, Bytes, Bytes, Bytes]
  checkExcerpt(fields[2])
  const quote = { messageId: idText(fields[0]), expiresAt: readInteger(fields[1]), excerpt: fromUtf8(fields[2]) }
  return { ...readText(fields[3]), quote }
}

type FileFields = [Bytes, Bytes, Bytes, Bytes, Bytes]
const fileSizes = [undefined, undefined, 8, 32, 32]

function readFile(rest: Bytes): FileBody {
  return fileOf(decode('file', rest, fileSizes) as FileFields)
}

function readFileWithThumbnail(rest: Bytes): FileBody {
  if (contentOffset + rest.length !== maxBodyBytes)
    throw new E2eeError('MALFORMED', 'The thumbnail does not fill the message.')
  const fields = decode('file', rest, [...fileSizes, undefined]) as [...FileFields, Bytes]
  return { ...fileOf(fields), thumbnail: toBase64url(fields[5]) }
}

function fileOf(fields: FileFields | [...FileFields, Bytes]): FileBody {
  const name = fromUtf8(fields[0])
  const type = fromUtf8(fields[1])
  checkFile(name, type)
  const hashes = { keyHash: toBase64url(fields[3]), bodyHash: toBase64url(fields[4]) }
  return { kind: 'file', name, type, size: readInteger(fields[2]), ...hashes }
}
