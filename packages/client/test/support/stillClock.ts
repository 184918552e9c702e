import type { ServerClock } from '../../src/transport/serverClock.ts'

/** The server's clock, which stands still and runs no timer. */
export const createStillClock = (now: number): ServerClock => ({
  now: () => now,
  after: () => () => {},
  isSynchronized: () => true,
  correction: () => 0,
  synchronize: async () => {},
  check() {},
  confirm: async () => {},
})
