type Bytes = Uint8Array<ArrayBuffer>

const [exifFlag, xmpFlag] = [0x08, 0x04]
const stays = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

/** Returns the chunks to keep (RFC 9649) with a matching header; [] if malformed. */
export function stripWebp(bytes: Bytes): Bytes[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length < 20) return []
  const kept: Bytes[] = []
  const end = Math.min(bytes.length, 8 + view.getUint32(4, true))
  let at = 12
  while (at + 8 <= end) {
    const size = view.getUint32(at + 4, true)
    const next = at + 8 + size + (size % 2)
    if (next > end) return []
    const type = String.fromCharCode(...bytes.subarray(at, at + 4))
    const chunk = bytes.slice(at, next)
    if (type === 'VP8X') chunk[8] = (chunk[8] as number) & ~(exifFlag | xmpFlag)
    if (stays.has(type)) kept.push(chunk)
    at = next
  }
  const header = bytes.slice(0, 12)
  const total = kept.reduce((sum, { length }) => sum + length, 4)
  new DataView(header.buffer).setUint32(4, total, true)
  return [header, ...kept]
}
