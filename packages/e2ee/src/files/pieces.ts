import type { Bytes } from '../encoding/bytes.ts'

/** Bytes in chunks of any size: a ReadableStream, or anything `for await` takes. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

const readBytes = 256 * 1024

/** Yields chunks that are valid until the next is requested. Not every browser iterates a ReadableStream. */
async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array, void> {
  if (!('getReader' in source)) return yield* source
  const reader = readerOf(source)
  let ended = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      ended = done
      if (done || !value) return
      yield value
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => {})
    reader.releaseLock()
  }
}

interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array }>
  cancel(): Promise<void>
  releaseLock(): void
}

/** Reads into reused memory where the stream can: otherwise every chunk waits for the garbage collector. */
function readerOf(source: ReadableStream<Uint8Array>): Reader {
  let reader: ReadableStreamBYOBReader
  try {
    reader = source.getReader({ mode: 'byob' })
  } catch {
    return source.getReader()
  }
  let memory = new ArrayBuffer(readBytes)
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(memory))
      if (value) memory = value.buffer
      return { done, value }
    },
    cancel: () => reader.cancel(),
    releaseLock: () => reader.releaseLock(),
  }
}

/** `bytes` is valid until the next piece is requested: its memory is reused. */
export interface Piece {
  bytes: Bytes
  index: number
  last: boolean
}

/**
 * Yields the bytes in pieces of `sizeOf(index)` bytes. The last may be shorter; it is empty only if the source is.
 * `sizeOf` must not grow after index 1.
 */
export async function* readPieces(source: ByteSource, sizeOf: (index: number) => number): AsyncGenerator<Piece, void> {
  const buffer = new Uint8Array(Math.max(sizeOf(0), sizeOf(1), sizeOf(2)))
  let size = sizeOf(0)
  let index = 0
  let filled = 0
  for await (const chunk of chunksOf(source)) {
    let offset = 0
    while (offset < chunk.length) {
      // A full piece is yielded only once a further byte shows that it is not the last.
      if (filled === size) {
        yield { bytes: buffer.subarray(0, size), index, last: false }
        index++
        filled = 0
        size = sizeOf(index)
      }
      const taken = Math.min(size - filled, chunk.length - offset)
      buffer.set(chunk.subarray(offset, offset + taken), filled)
      filled += taken
      offset += taken
    }
  }
  yield { bytes: buffer.subarray(0, filled), index, last: true }
}
