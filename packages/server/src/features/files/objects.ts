import type { Core } from '../../core/core.ts'

/** As many as fail one after the other before nothing more is tried: then it is not about single objects. */
const mostInRow = 20

/** By chance: where many are kept, the same ones must not stand before the others each time. */
const inAnyOrder = (ids: readonly string[]) =>
  ids
    .map((id) => ({ id, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ id }) => id)

/** Removes each of these objects, whatever becomes of the others; answers those that are gone, and why one is not. */
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
