import type { Bytes } from '@privity/e2ee'

const textAt = (bytes: Bytes, offset: number, length: number) =>
  String.fromCharCode(...bytes.subarray(offset, offset + length))

/** PNG chunks that affect how pixels look; any other chunk may hold metadata. */
const pngPixels = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'acTL', 'fcTL', 'fdAT']
const pngColours = ['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'sBIT', 'bKGD', 'hIST', 'sPLT', 'pHYs']
const pngChunks = new Set([...pngPixels, ...pngColours])

/** Returns the chunks to keep (PNG, section 5), without data after IEND; [] if malformed. */
export function stripPng(bytes: Bytes): Bytes[] {
  const kept: Bytes[] = [bytes.subarray(0, 8)]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let offset = 8
  while (offset + 12 <= bytes.length) {
    const end = offset + 12 + view.getUint32(offset)
    if (end > bytes.length) return []
    const type = textAt(bytes, offset + 4, 4)
    if (pngChunks.has(type)) kept.push(bytes.subarray(offset, end))
    if (type === 'IEND') return kept
    offset = end
  }
  return []
}

const [exifFlag, xmpFlag] = [0x08, 0x04]
const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

/** Returns the chunks to keep (WebP, RFC 9649) with a matching header; [] if malformed. */
export function stripWebp(bytes: Bytes): Bytes[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length < 20) return []
  const kept: Bytes[] = []
  const end = Math.min(bytes.length, 8 + view.getUint32(4, true))
  let offset = 12
  while (offset + 8 <= end) {
    const size = view.getUint32(offset + 4, true)
    const next = offset + 8 + size + (size % 2)
    if (next > end) return []
    const type = textAt(bytes, offset, 4)
    const chunk = bytes.slice(offset, next)
    if (type === 'VP8X') chunk[8] = (chunk[8] as number) & ~(exifFlag | xmpFlag)
    if (webpChunks.has(type)) kept.push(chunk)
    offset = next
  }
  const header = bytes.slice(0, 12)
  const total = kept.reduce((sum, { length }) => sum + length, 4)
  new DataView(header.buffer).setUint32(4, total, true)
  return [header, ...kept]
}

const [extension, image, trailer] = [0x21, 0x2c, 0x3b]
const [graphicControl, application, plainText] = [0xf9, 0xff, 0x01]
/** Application blocks that set how often an animation repeats; others may hold metadata. */
const gifLoops = ['NETSCAPE2.0', 'ANIMEXTS1.0']

/** Returns the length of the colour table that a packed field announces. */
const colourTableBytes = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1))

/** Returns the end of the run of sub-blocks that begins at `offset`: after the empty one. */
function endOfBlocks(bytes: Bytes, offset: number): number {
  for (let next = offset; ; next += 1 + (bytes[next] as number)) {
    if (next >= bytes.length) return Number.POSITIVE_INFINITY
    if (bytes[next] === 0) return next + 1
  }
}

function isKeptExtension(bytes: Bytes, offset: number): boolean {
  const label = bytes[offset + 1]
  if (label === application) return gifLoops.includes(textAt(bytes, offset + 3, 11))
  return label === graphicControl || label === plainText
}

/** Returns the blocks to keep (GIF89a), without comments and data after the trailer; [] if malformed. */
export function stripGif(bytes: Bytes): Bytes[] {
  const start = 13 + colourTableBytes(bytes[10] ?? 0)
  const kept: Bytes[] = [bytes.subarray(0, start)]
  for (let offset = start; offset < bytes.length;) {
    const kind = bytes[offset]
    if (kind === trailer) return [...kept, Uint8Array.of(trailer)]
    if (kind !== extension && kind !== image) return []
    // Descriptor, its table of colours and the code size come before the sub-blocks of an image.
    const blocks = kind === image ? offset + 11 + colourTableBytes(bytes[offset + 9] ?? 0) : offset + 2
    const end = endOfBlocks(bytes, blocks)
    if (end > bytes.length) return []
    if (kind === image || isKeptExtension(bytes, offset)) kept.push(bytes.subarray(offset, end))
    offset = end
  }
  return []
}
