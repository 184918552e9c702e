import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { z } from 'zod'
import { syncPath } from '../core/dataFolder/dataFolder.ts'

const text = z.string()
const bytes = z.int().nonnegative()
const sha256 = z.string().regex(/^[\w-]{43}$/)

/** The contents of a backup, so that a restore can check that it is complete. */
const contents = z.object({
  format: z.literal('privity-backup/v1'),
  version: text,
  madeAt: z.int(),
  database: z.object({ bytes, sha256 }),
  objects: z.array(z.object({ id: z.uuid(), bytes, sha256 })),
  gone: z.array(z.uuid()).describe('files that were destroyed while the backup was made'),
  auditKey: text.describe('the public key that signs the audit log'),
})
export type Contents = z.output<typeof contents>

/** Signed with the audit log's key, because anyone who can write to a backup could fit its hashes to a forged one. */
export const manifest = contents.extend({ signature: text })
export type Manifest = z.output<typeof manifest>

/** Serializes in the order of the schema above, not in the order of the file. */
export const signedText = (made: Contents): string => JSON.stringify(['privity/backup/v1', contents.parse(made)])

export async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    size += chunk.length
  }
  return { bytes: size, sha256: hash.digest('base64url') }
}

/** Copies a file and syncs the copy. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await syncPath(to)
}
