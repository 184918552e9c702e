export interface FileLine {
  /** 1, 2, 3 … */
  number: number
  text: string
  bytes: Uint8Array
  /** Whether a line feed ends it. */
  ended: boolean
}

const lineFeed = 0x0a

/** Lines by line feeds alone, byte for byte: what another reader takes for the same line may be an alteration. */
export async function* fileLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  let left = Buffer.alloc(0)
  let number = 0
  const line = (bytes: Buffer, ended: boolean): FileLine => {
    number += 1
    return { number, text: bytes.toString('utf8', 0, ended ? bytes.length - 1 : bytes.length), bytes, ended }
  }
  for await (const chunk of chunks) {
    const bytes = left.length === 0 ? Buffer.from(chunk) : Buffer.concat([left, chunk])
    let from = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
      yield line(bytes.subarray(from, end + 1), true)
      from = end + 1
    }
    left = bytes.subarray(from)
  }
  if (left.length > 0) yield line(left, false)
}
