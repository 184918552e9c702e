import type { FastifyInstance } from 'fastify'
import { founderOrganizations } from '@privity/contract/founder/organizations'
import type { Core } from '../../../core/core.ts'
import { implement } from '../../../core/http/implement.ts'
import { createOrganization, inviteFirst, listOrganizations } from './organizations.ts'

export function mountFounderOrganizations(app: FastifyInstance, core: Core): void {
  implement(app, core, founderOrganizations, {
    list: ({ query }) => listOrganizations(core, query),
    create: ({ founder, body }) => createOrganization(core, founder, body),
    invite: ({ founder, params }) => inviteFirst(core, founder, params.id),
  })
}
