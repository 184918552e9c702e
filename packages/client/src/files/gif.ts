type Bytes = Uint8Array<ArrayBuffer>

const [extension, image, trailer] = [0x21, 0x2c, 0x3b]
const [graphicControl, application, plainText] = [0xf9, 0xff, 0x01]
/** Application blocks that set how often an animation repeats; others may hold metadata. */
const loops = ['NETSCAPE2.0', 'ANIMEXTS1.0']

/** Returns the length of the colour table that a packed field announces. */
const tableOf = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1))

/** Returns the end of the run of sub-blocks that begins at `at`: after the empty one. */
function endOfBlocks(bytes: Bytes, at: number): number {
  for (let next = at; ; next += 1 + (bytes[next] as number)) {
    if (next >= bytes.length) return Number.POSITIVE_INFINITY
    if (bytes[next] === 0) return next + 1
  }
}

function isKept(bytes: Bytes, at: number): boolean {
  const label = bytes[at + 1]
  if (label === application) return loops.includes(String.fromCharCode(...bytes.subarray(at + 3, at + 14)))
  return label === graphicControl || label === plainText
}

/** Returns the blocks to keep (GIF89a), without comments and data after the trailer; [] if malformed. */
export function stripGif(bytes: Bytes): Bytes[] {
  const start = 13 + tableOf(bytes[10] ?? 0)
  const kept: Bytes[] = [bytes.subarray(0, start)]
  for (let at = start; at < bytes.length;) {
    const kind = bytes[at]
    if (kind === trailer) return [...kept, Uint8Array.of(trailer)]
    if (kind !== extension && kind !== image) return []
    // Descriptor, its table of colours and the code size come before the sub-blocks of an image.
    const blocks = kind === image ? at + 11 + tableOf(bytes[at + 9] ?? 0) : at + 2
    const end = endOfBlocks(bytes, blocks)
    if (end > bytes.length) return []
    if (kind === image || isKept(bytes, at)) kept.push(bytes.subarray(at, end))
    at = end
  }
  return []
}
