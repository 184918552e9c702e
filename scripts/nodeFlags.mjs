import { availableParallelism } from 'node:os'

/**
 * What Node is started with in a server that has so many cores. V8 puts what it expects to live long straight among the
 * old, where it keeps all that it points at through the collections of the young: of calls it expects so wrongly
 * (decision 059). On a single core the collector's helper threads take turns with the server itself, which then stands
 * still for as long as they have the core (decision 056); marking in steps between the calls takes so long that
 * what they are done with meanwhile counts as alive, so that it is marked at once (decision 060); and of the threads that
 * compile what has become hot one is enough, where four make a message wait for each of them (decision 062).
 */
export const nodeFlags = (cores = availableParallelism()) => [
  '--no-allocation-site-pretenuring',
  ...(cores > 1
    ? []
    : ['--no-incremental-marking', '--no-parallel-marking', '--no-parallel-scavenge', '--v8-pool-size=1']),
]
