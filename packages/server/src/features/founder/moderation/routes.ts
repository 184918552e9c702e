import type { FastifyInstance } from 'fastify'
import { moderation } from '@privity/contract/founder/moderation'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import { getReport, getStats, isReceipt, listFlagged, unflag, unflagSeveral } from './flags.ts'
import { scanMessages } from './scan.ts'

export function mountModeration(app: FastifyInstance, core: Core): void {
  implement(app, core, moderation, {
    flagged: ({ query }) => listFlagged(core, query),
    stats: () => getStats(core),
    scan: async ({ founder }) => ({ flaggedCount: await scanMessages(core, founder) }),
    async unflag({ founder, params }) {
      await unflag(core, founder, params.id)
      return {}
    },
    unflagSeveral: ({ founder, body }) => unflagSeveral(core, founder, body.ids),
    report: ({ founder, params, query }) => getReport(core, founder, params.id, query.view),
    checkReceipt: async ({ body }) => ({ valid: isReceipt(core, body) }),
  })
}
