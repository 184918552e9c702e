import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { once } from 'node:events'

/** Writes `size` bytes in which no two megabytes are equal (each holds a counter), and resolves with their SHA-256. */
export async function writeBigFile(path: string, size: number): Promise<string> {
  const out = createWriteStream(path)
  const hash = createHash('sha256')
  const block = Buffer.alloc(1024 * 1024, 'privity ')
  for (let written = 0; written < size; written += block.length) {
    block.writeUInt32LE(written, 0)
    const part = Buffer.from(block.subarray(0, Math.min(block.length, size - written)))
    hash.update(part)
    if (!out.write(part)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return hash.digest('hex')
}

export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return hash.digest('hex')
}
