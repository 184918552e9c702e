import { createBus } from './bus.ts'
import { createPresence, here } from './presence.ts'
import type { Processes } from './cluster.ts'

/** Creates the only process that there can be, without loading the code that several processes need. */
export function createSingleProcess(): Processes {
  const presence = createPresence()
  const bus = createBus()
  return {
    id: undefined,
    bus,
    presence,
    setOnline: (userId, online) => presence.set(here, userId, online),
    lease: undefined,
    counts: undefined,
    otherIds: () => new Set(),
    reportUncertainCommit: () => bus.publishHere('eventsLost', {}),
    join: async () => {},
    settled: async () => {},
    leave: async () => {},
  }
}
