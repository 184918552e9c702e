import { setTimeout as wait } from 'node:timers/promises'

/** Interval (ms) of a process's heartbeats, and the silence after which it counts as gone. */
export const registryTimes = { beat: 2_000, gone: 10_000 }

/** The heartbeat row of a process, running or ended. */
export interface Beat {
  id: string
  beat: number
}

/** Waits for more than one heartbeat: a counter that has not changed belongs to a process that was killed. */
export async function probeLiveness(beats: () => Promise<Beat[]>): Promise<{ rows: Beat[]; isAnyAlive: boolean }> {
  const before = await beats()
  if (before.length === 0) return { rows: [], isAnyAlive: false }
  await wait(2.5 * registryTimes.beat)
  const rows = await beats()
  const isAnyAlive = rows.some(({ id, beat }) => before.find((each) => each.id === id)?.beat !== beat)
  return { rows, isAnyAlive }
}
