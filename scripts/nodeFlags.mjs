import { availableParallelism } from 'node:os'

/**
 * V8 flags for a server with this many cores (docs/performance.md, V8 flags). Pretenuring allocates a call's objects in
 * the old generation, where they keep all they point at until a full collection. On a single core helper threads take
 * the server's place, and marking in steps lasts so long that finished calls count as alive; one compiling thread is
 * enough there, since four delay a message in turn.
 */
export const nodeFlags = (cores = availableParallelism()) => [
  '--no-allocation-site-pretenuring',
  ...(cores > 1
    ? []
    : ['--no-incremental-marking', '--no-parallel-marking', '--no-parallel-scavenge', '--v8-pool-size=1']),
]
