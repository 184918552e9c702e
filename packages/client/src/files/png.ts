type Bytes = Uint8Array<ArrayBuffer>

/** Chunks that affect how pixels look; any other chunk may hold metadata. */
const pixels = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'acTL', 'fcTL', 'fdAT']
const colours = ['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'sBIT', 'bKGD', 'hIST', 'sPLT', 'pHYs']
const stays = new Set([...pixels, ...colours])

/** Returns the chunks to keep (PNG, section 5), without data after IEND; [] if malformed. */
export function stripPng(bytes: Bytes): Bytes[] {
  const kept: Bytes[] = [bytes.subarray(0, 8)]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 8
  while (at + 12 <= bytes.length) {
    const end = at + 12 + view.getUint32(at)
    if (end > bytes.length) return []
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (stays.has(type)) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') return kept
    at = end
  }
  return []
}
