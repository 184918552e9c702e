import { availableParallelism } from 'node:os'

/**
 * V8 flags for a server with this many cores (docs/performance.md, V8 flags). Pretenuring allocates a call's objects in
 * the old generation, where they keep everything they point at until a full collection. On a single core, helper
 * threads compete with the server, and incremental marking lasts so long that objects of finished calls are still
 * marked as alive. There, one compiler thread suffices: four threads delay messages.
 */
export const nodeFlags = (cores = availableParallelism()) => [
  '--no-allocation-site-pretenuring',
  ...(cores > 1
    ? []
    : ['--no-incremental-marking', '--no-parallel-marking', '--no-parallel-scavenge', '--v8-pool-size=1']),
]
