import type { FastifyInstance } from 'fastify'
import { organization } from '@privity/contract/organization'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/implement.ts'
import { getOrganization, getUsers } from './organization.ts'

export function mountOrganization(app: FastifyInstance, core: Core): void {
  implement(app, core, organization, {
    current: ({ caller }) => getOrganization(core, caller),
    users: ({ caller, query }) => getUsers(core, caller, query),
  })
}
