import { toBase64url } from './base64url.ts'
import type { Bytes } from './bytes.ts'
import { E2eeError } from '../errors.ts'

/**
 * The canonical encoding of every structure (docs/protocol.md):
 * label length (1 byte) || label (ASCII) || version (1 byte) || for each field: length (4 bytes, big-endian) || field.
 */
const version = 1

const prefixes = new Map<string, Bytes>()

function prefixOf(label: string): Bytes {
  let prefix = prefixes.get(label)
  if (!prefix) {
    const ascii = new TextEncoder().encode(`privity/${label}`)
    prefix = new Uint8Array(ascii.length + 2)
    prefix[0] = ascii.length
    prefix.set(ascii, 1)
    prefix[ascii.length + 1] = version
    prefixes.set(label, prefix)
  }
  return prefix
}

/** Returns the offset of the first field's bytes in a structure with this label. */
export function firstFieldOffset(label: string): number {
  return prefixOf(label).length + 4
}

const sizeOf = (label: string, fields: readonly Uint8Array[]) =>
  fields.reduce((sum, field) => sum + 4 + field.length, prefixOf(label).length)

function write(label: string, fields: readonly Uint8Array[], bytes: Bytes): Bytes {
  const prefix = prefixOf(label)
  bytes.set(prefix)
  let offset = prefix.length
  for (const field of fields) {
    const { length } = field
    bytes[offset] = length >>> 24
    bytes[offset + 1] = length >>> 16
    bytes[offset + 2] = length >>> 8
    bytes[offset + 3] = length
    bytes.set(field, offset + 4)
    offset += 4 + length
  }
  return bytes
}

/** `label` is given without its 'privity/'. */
export function encode(label: string, fields: readonly Uint8Array[]): Bytes {
  return write(label, fields, new Uint8Array(sizeOf(label, fields)))
}

/** Encodes a structure whose form has changed, under the number of its form in place of version 1. */
export function encodeVersion(label: string, number: number, fields: readonly Uint8Array[]): Bytes {
  const bytes = encode(label, fields)
  bytes[prefixOf(label).length - 1] = number
  return bytes
}

const scratch = new Uint8Array(4096)

/** Encodes as base64url, without allocating memory for the bytes of a message. */
export function encodeText(label: string, fields: readonly Uint8Array[]): string {
  const size = sizeOf(label, fields)
  return size > scratch.length
    ? toBase64url(encode(label, fields))
    : toBase64url(write(label, fields, scratch.subarray(0, size)))
}

const refuse = (label: string) => new E2eeError('MALFORMED', `This is not the encoding of a ${label}.`)

/** One number or list of allowed lengths per field; undefined allows any length. */
export type FieldSizes = readonly (number | readonly number[] | undefined)[]

function isAllowed(length: number, size: FieldSizes[number]): boolean {
  if (typeof size === 'number') return length === size
  return size === undefined || size.includes(length)
}

/** The fields, as views into `bytes`. Another label, version, count, length, or trailing bytes throw MALFORMED. */
export function decode(label: string, bytes: Bytes, sizes: FieldSizes): Bytes[] {
  const prefix = prefixOf(label)
  let offset = prefix.length
  for (let i = 0; i < offset; i++) if (bytes[i] !== prefix[i]) throw refuse(label)
  const fields: Bytes[] = []
  for (const size of sizes) {
    const start = offset + 4
    if (start > bytes.length) throw refuse(label)
    const length = readLength(bytes, offset)
    offset = start + length
    if (offset > bytes.length || !isAllowed(length, size)) throw refuse(label)
    fields.push(bytes.subarray(start, offset))
  }
  if (offset !== bytes.length) throw refuse(label)
  return fields
}

const readLength = (bytes: Bytes, offset: number) =>
  (((bytes[offset] as number) << 24) |
    ((bytes[offset + 1] as number) << 16) |
    ((bytes[offset + 2] as number) << 8) |
    (bytes[offset + 3] as number)) >>>
  0
