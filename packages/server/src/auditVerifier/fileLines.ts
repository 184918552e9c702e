export interface FileLine {
  /** 1, 2, 3 … */
  number: number
  text: string
  bytes: Uint8Array
  /** Whether a line feed ends it. */
  ended: boolean
}

const lineFeed = 0x0a

/** The longest line that a server writes: the last one lists which of millions of entries are the organization's. */
const mostBytes = 64 * 1024 * 1024

/**
 * Splits at line feeds only, byte for byte: a line break that another reader would recognize may be an alteration. A
 * line of more than `most` bytes is yielded empty and is the last: a server wrote no such line.
 */
export async function* fileLines(
  chunks: AsyncIterable<Uint8Array>,
  most: number = mostBytes,
): AsyncGenerator<FileLine> {
  let parts: Buffer[] = []
  let size = 0
  let number = 0
  const line = (bytes: Buffer, ended: boolean): FileLine => {
    number += 1
    return { number, text: bytes.toString('utf8', 0, ended ? bytes.length - 1 : bytes.length), bytes, ended }
  }
  /** Joins the pieces of the current line; copied once, however many chunks it came in. */
  function take(last: Buffer): Buffer {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last])
    parts = []
    size = 0
    return bytes
  }
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk)
    let from = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
      if (size + end + 1 - from > most) return yield line(Buffer.from('\n'), true)
      yield line(take(bytes.subarray(from, end + 1)), true)
      from = end + 1
    }
    if (from < bytes.length) parts.push(bytes.subarray(from))
    size += bytes.length - from
    if (size > most) return yield line(Buffer.from('\n'), true)
  }
  if (size > 0) yield line(take(Buffer.alloc(0)), false)
}
