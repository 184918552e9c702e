import { availableParallelism } from 'node:os'

/**
 * How Node collects garbage in a server that has so many cores: on a single one the collector's helper threads take
 * turns with the server itself, which then stands still for as long as they have the core (decision 056).
 */
export const collectorFlags = (cores = availableParallelism()) =>
  cores > 1 ? [] : ['--no-concurrent-marking', '--no-parallel-marking', '--no-parallel-scavenge']
