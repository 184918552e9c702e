import { setTimeout as wait } from 'node:timers/promises'

/** Interval (ms) of a process's heartbeats, and the silence after which it counts as gone. */
export const registryTimes = { beat: 2_000, gone: 10_000 }

/** The heartbeat row of a process, running or ended. */
export interface Beat {
  id: string
  beat: number
}

/** Reads the heartbeats twice, more than one interval apart: a row that has not changed is of a killed process. */
export async function probeLiveness(readBeats: () => Promise<Beat[]>): Promise<{ rows: Beat[]; isAnyAlive: boolean }> {
  const before = await readBeats()
  if (before.length === 0) return { rows: [], isAnyAlive: false }
  await wait(2.5 * registryTimes.beat)
  const rows = await readBeats()
  const isAnyAlive = rows.some(({ id, beat }) => before.find((each) => each.id === id)?.beat !== beat)
  return { rows, isAnyAlive }
}
