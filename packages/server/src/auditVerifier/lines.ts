import { Found, found, type Problem } from './problem.ts'

export interface FileLine {
  /** 1, 2, 3 … */
  number: number
  text: string
  bytes: Uint8Array
  /** Whether a line feed ends it. */
  ended: boolean
}

const lineFeed = 0x0a

/** Enough for the longest line, the last: it lists which of millions of entries are the organization's. */
const maxLineBytes = 64 * 1024 * 1024

/**
 * Splits at line feeds only, byte for byte: a line break that another reader would recognize may be an alteration. A
 * line of more than `maxBytes` is yielded empty and is the last: a server wrote no such line.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number = maxLineBytes,
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
      if (size + end + 1 - from > maxBytes) return yield line(Buffer.from('\n'), true)
      yield line(take(bytes.subarray(from, end + 1)), true)
      from = end + 1
    }
    if (from < bytes.length) parts.push(bytes.subarray(from))
    size += bytes.length - from
    if (size > maxBytes) return yield line(Buffer.from('\n'), true)
  }
  if (size > 0) yield line(take(Buffer.alloc(0)), false)
}

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a JSON object; undefined for any other text. */
export function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The latest time that a Date can hold. */
const maxTime = 8.64e15
export const isTime = (value: unknown): boolean => Number.isSafeInteger(value) && Math.abs(value as number) <= maxTime

/**
 * Verifies a file line by line and returns its first problem. `verifyLine` throws Found, and returns whether it was the
 * last line; `next` is the entry or row that is expected next.
 */
export async function verifyLines(
  lines: AsyncIterable<FileLine>,
  next: () => Pick<Problem, 'part' | 'number'>,
  verifyLine: (line: FileLine) => boolean | Promise<boolean>,
): Promise<Problem | undefined> {
  let number = 0
  let isEnded = false
  try {
    for await (const line of lines) {
      ;({ number } = line)
      if (isEnded) throw found({ kind: 'altered', part: 'end', line: number })
      try {
        isEnded = await verifyLine(line)
      } catch (error) {
        // A value nests too deep to be serialized again: the server did not write it.
        throw error instanceof RangeError
          ? found({ kind: 'altered', ...next(), ...(number === 1 && { part: 'header' }), line: number })
          : error
      }
    }
    if (!isEnded) throw found({ kind: 'truncated', ...next(), line: number + 1 })
    return undefined
  } catch (error) {
    if (error instanceof Found) return error.problem
    throw error
  }
}
