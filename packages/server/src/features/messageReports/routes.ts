import type { FastifyInstance } from 'fastify'
import { messageReports } from '@privity/contract/messageReports'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { getReportKey, reportMessage } from './reports.ts'

export function mountMessageReports(app: FastifyInstance, core: Core): void {
  implement(app, core, messageReports, {
    key: () => getReportKey(core),
    async create({ caller, body }) {
      await reportMessage(core, caller, body)
      return {}
    },
  })
}
