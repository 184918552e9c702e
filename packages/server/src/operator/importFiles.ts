import { join } from 'node:path'
import type { Manifest } from './backupFiles.ts'
import type { Objects } from './objects.ts'
import { Refusal } from './errors.ts'

type Listed = Manifest['objects'][number]

/**
 * Copies the files of a backup into the storage, except those already there unaltered, and returns a function that
 * undoes it. All or nothing: a failure leaves none of the files that were not there before.
 */
export async function bringIn(to: Objects, folder: string, objects: readonly Listed[]): Promise<() => Promise<void>> {
  const added: string[] = []

  async function undo(): Promise<void> {
    for (const id of added) await to.remove(id)
  }

  async function bringOne({ id, bytes, sha256 }: Listed): Promise<void> {
    const isThere = async () => {
      const found = await to.measure(id)
      return found === undefined ? undefined : found.sha256 === sha256 && found.bytes === bytes
    }
    const before = await isThere()
    if (before === true) return
    if (before === undefined) added.push(id)
    await to.copyIn(id, join(folder, id))
    // Verifies the copy, because the original may have been written to meanwhile.
    if ((await isThere()) !== true)
      throw new Refusal(`The file ${id} does not match the backup: it was altered or damaged.`)
  }

  try {
    for (const object of objects) await bringOne(object)
    return undo
  } catch (error) {
    await undo().catch(() => {})
    throw error
  }
}
