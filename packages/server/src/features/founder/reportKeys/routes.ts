import type { FastifyInstance } from 'fastify'
import { reportKeys } from '@privity/contract/founder/reportKeys'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import { addReportKey, listReportKeys } from './reportKeys.ts'

export function mountReportKeys(app: FastifyInstance, core: Core): void {
  implement(app, core, reportKeys, {
    list: async () => ({ keys: await listReportKeys(core) }),
    async add({ founder, body }) {
      await addReportKey(core, founder, body)
      return {}
    },
  })
}
