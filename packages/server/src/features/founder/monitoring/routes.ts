import type { FastifyInstance } from 'fastify'
import { monitoring } from '@privity/contract/founder/monitoring'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import { getMessageRate, getRealtimeStats, getUserStats } from './stats.ts'

export function mountMonitoring(app: FastifyInstance, core: Core): void {
  implement(app, core, monitoring, {
    realtimeStats: () => getRealtimeStats(core),
    messageRate: () => getMessageRate(core),
    stats: () => getUserStats(core),
  })
}
