import { randomBytes } from 'node:crypto'

/**
 * Contents of the form that the server accepts as a sealed message, filled with random bytes: the
 * encryption is measured elsewhere, and the load generator must stay cheap. The running number of
 * a message sits in its messageId.
 */
const label = Buffer.from('privity/message')
const start = 1 + label.length + 1
const idAt = start + 4
const sizes = [16, 16, 12, 32, 1024 + 16, 64]
const total = start + sizes.reduce((sum, size) => sum + 4 + size, 0)

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** A maker of contents under one envelope; a number from 0 to 2^32 - 1 gives each its own id. */
export function sealedContents(envelopeId: string): (number: number) => string {
  const bytes = randomBytes(total)
  bytes[0] = label.length
  label.copy(bytes, 1)
  bytes[start - 1] = 1
  let at = start
  for (const size of sizes) {
    bytes.writeUInt32BE(size, at)
    at += 4 + size
  }
  bytesOf(envelopeId).copy(bytes, start + 4 + 16 + 4)
  bytes[idAt + 6] = 0x70 | ((bytes[idAt + 6] as number) & 15)
  bytes[idAt + 8] = 0x80 | ((bytes[idAt + 8] as number) & 63)
  return (number) => {
    // Ids are UUIDv7, as the client makes them: in the order of time.
    bytes.writeUIntBE(Date.now(), idAt, 6)
    bytes.writeUInt32BE(number, idAt + 12)
    return bytes.toString('base64url')
  }
}

const needed = Math.ceil((idAt + 16) / 3) * 4

/** The running number in a content. */
export function numberOf(content: string): number {
  return Buffer.from(content.slice(0, needed), 'base64url').readUInt32BE(idAt + 12)
}
