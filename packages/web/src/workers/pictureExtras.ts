type Bytes = Uint8Array<ArrayBuffer>

const sos = 0xda
/** APP1 to APP15, of which Safari writes Exif and Photoshop's, and comments. */
const isExtra = (marker: number) => (marker > 0xe0 && marker <= 0xef) || marker === 0xfe

function withoutJpegExtras(bytes: Bytes): Bytes {
  const view = new DataView(bytes.buffer)
  const kept = [...bytes.subarray(0, 2)]
  for (let offset = 2; offset + 4 <= bytes.length && bytes[offset] === 0xff;) {
    const marker = bytes[offset + 1] as number
    if (marker === sos) return new Uint8Array([...kept, ...bytes.subarray(offset)])
    const end = offset + 2 + view.getUint16(offset + 2)
    if (!isExtra(marker)) kept.push(...bytes.subarray(offset, end))
    offset = end
  }
  return bytes
}

function withoutWebpExtras(bytes: Bytes): Bytes {
  const view = new DataView(bytes.buffer)
  const tag = (offset: number) => String.fromCharCode(...bytes.subarray(offset, offset + 4))
  if (bytes.length < 20 || tag(0) !== 'RIFF' || tag(12) === 'VP8 ') return bytes
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const size = view.getUint32(offset + 4, true)
    const end = offset + 8 + size + (size % 2)
    if (tag(offset) === 'VP8 ') {
      const made = new Uint8Array([...bytes.subarray(0, 12), ...bytes.subarray(offset, end)])
      new DataView(made.buffer).setUint32(4, made.length - 8, true)
      return made
    }
    offset = end
  }
  return bytes
}

/**
 * Leaves only the picture. Encoders of browsers add a colour profile, a chunk for transparency or metadata of their
 * own, which a thumbnail may not have.
 */
export const withoutExtras = (bytes: Bytes): Bytes =>
  bytes[0] === 0xff && bytes[1] === 0xd8 ? withoutJpegExtras(bytes) : withoutWebpExtras(bytes)
