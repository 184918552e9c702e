import { createBus } from './bus.ts'
import { createPresence, here } from './presence.ts'
import type { Processes } from './cluster.ts'

/** The only process there can be: it loads nothing of what several share. */
export function createAlone(): Processes {
  const presence = createPresence()
  const bus = createBus()
  return {
    id: undefined,
    bus,
    presence,
    setOnline: (userId, online) => presence.set(here, userId, online),
    lease: undefined,
    counts: undefined,
    others: () => new Set(),
    uncertain: () => bus.publishHere('missed', {}),
    join: async () => {},
    settled: async () => {},
    leave: async () => {},
  }
}
