/**
 * The encoding of every signed structure (docs/protocol.md), for the server, which holds no code that encrypts: label
 * length, label, version, then each field with its length as 4 bytes big-endian before it.
 */
const version = 1

/** Turns base64url text into bytes; the caller's function refuses any text that is not the one text of its bytes. */
export type Decode = (text: string) => Uint8Array

const ascii = new TextEncoder()

/** `after`: how many zero bytes to leave behind the encoding. */
export function encode(label: string, fields: readonly Uint8Array[], after = 0): Uint8Array<ArrayBuffer> {
  const name = ascii.encode(`privity/${label}`)
  const size = fields.reduce((sum, field) => sum + 4 + field.length, name.length + 2)
  const bytes = new Uint8Array(size + after)
  const view = new DataView(bytes.buffer)
  bytes[0] = name.length
  bytes.set(name, 1)
  bytes[name.length + 1] = version
  let at = name.length + 2
  for (const field of fields) {
    view.setUint32(at, field.length)
    bytes.set(field, at + 4)
    at += 4 + field.length
  }
  return bytes
}

export const idBytes = (id: string) =>
  Uint8Array.from(id.replaceAll('-', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

export function integerBytes(value: number, length: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(length))
  if (length === 8) view.setUint32(0, Math.floor(value / 2 ** 32))
  view.setUint32(length - 4, value % 2 ** 32)
  return new Uint8Array(view.buffer)
}
