import type { Core } from '../../core/core.ts'

/** Give up after this many consecutive failures: the store itself is down. */
const mostInRow = 20

/** Shuffles: where many objects cannot be removed, the same ones must not block the rest each time. */
const inAnyOrder = (ids: readonly string[]) =>
  ids
    .map((id) => ({ id, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ id }) => id)

/** Removes each of these objects even if some fail; returns the removed ids and the last failure. */
export async function removeObjects(
  { storage }: Pick<Core, 'storage'>,
  ids: readonly string[],
): Promise<{ gone: string[]; failure?: { error: unknown } }> {
  const gone: string[] = []
  let failure: { error: unknown } | undefined
  let failed = 0
  for (const id of inAnyOrder(ids)) {
    if (failed === mostInRow) break
    try {
      await storage.remove(id)
      gone.push(id)
      failed = 0
    } catch (error) {
      failure = { error }
      failed += 1
    }
  }
  return { gone, ...(failure && { failure }) }
}
