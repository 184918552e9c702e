import type { FastifyInstance } from 'fastify'
import { privacy } from '@privity/contract/privacy'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { allowExports, createExport } from './exports.ts'
import { getSecurityFacts, settleFailures } from './securityFacts.ts'

export function mountPrivacy(app: FastifyInstance, core: Core): void {
  implement(app, core, privacy, {
    securityFacts: ({ caller }) => getSecurityFacts(core, caller.userId),
    settleFailures: ({ caller, body }) => settleFailures(core, caller, body.until),
    allowExports: ({ caller, body, request }) => allowExports(core, request, caller, body.password),
    createExport: ({ caller }) => createExport(core, caller),
  })
}
