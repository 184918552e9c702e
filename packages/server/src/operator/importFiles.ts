import { join } from 'node:path'
import type { Manifest } from './backupFiles.ts'
import type { Objects } from './objects.ts'
import { Refusal } from './operator.ts'

type Listed = Manifest['objects'][number]

/**
 * Copies the files of a backup into the storage, except those already there unaltered, and returns a function that
 * undoes it. All or nothing: a failure leaves none of the files that were not there before.
 */
export async function importFiles(
  storage: Objects,
  folder: string,
  objects: readonly Listed[],
): Promise<() => Promise<void>> {
  const added: string[] = []

  async function undo(): Promise<void> {
    for (const id of added) await storage.remove(id)
  }

  async function importOne({ id, bytes, sha256 }: Listed): Promise<void> {
    const isUnaltered = async () => {
      const found = await storage.measure(id)
      return found === undefined ? undefined : found.sha256 === sha256 && found.bytes === bytes
    }
    const before = await isUnaltered()
    if (before === true) return
    if (before === undefined) added.push(id)
    await storage.copyIn(id, join(folder, id))
    // Verifies the copy, because the original may have been written to meanwhile.
    if ((await isUnaltered()) !== true)
      throw new Refusal(`The file ${id} does not match the backup: it was altered or damaged.`)
  }

  try {
    for (const object of objects) await importOne(object)
    return undo
  } catch (error) {
    await undo().catch(() => {})
    throw error
  }
}
