import { setTimeout as wait } from 'node:timers/promises'
import { registryTimes } from '../processHeartbeat.ts'

/** The row of a process that serves, or did. */
export interface Beat {
  id: string
  beat: number
}

/** Looks for as long as a process needs to say that it lives; one that was killed goes on standing there. */
export async function lookForLiving(beats: () => Promise<Beat[]>): Promise<{ rows: Beat[]; isAnyAlive: boolean }> {
  const before = await beats()
  if (before.length === 0) return { rows: [], isAnyAlive: false }
  await wait(2.5 * registryTimes.beat)
  const rows = await beats()
  const isAnyAlive = rows.some(({ id, beat }) => before.find((each) => each.id === id)?.beat !== beat)
  return { rows, isAnyAlive }
}
