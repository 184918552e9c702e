import type { FastifyInstance } from 'fastify'
import { files } from '@privity/contract/files'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { checkFile, decide, listPending, requestFile } from './authorizations.ts'
import { revalidateDownloads } from './revalidateDownloads.ts'
import { mountRaw } from './rawBodyRoutes.ts'
import { endWithAccess } from './activeDownloads.ts'
import { endWithPolicy } from './abortTransfers.ts'
import { createUpload, endUploadsWithSession, registerFile } from './uploads.ts'

export function mountFiles(app: FastifyInstance, core: Core): void {
  implement(app, core, files, {
    createUpload: ({ caller }) => createUpload(core, caller),
    register: ({ caller, body }) => registerFile(core, caller, body.fileURL),
    listPending: ({ caller }) => listPending(core, caller.userId),
    decide: ({ caller, params, body }) => decide(core, caller, params.id, body),
    check: ({ caller, params }) => checkFile(core, caller.userId, params['*']),
    request: ({ caller, body }) => requestFile(core, caller, body.filePath),
  })
  mountRaw(app, core)
  endWithAccess(core)
  endUploadsWithSession(core)
  endWithPolicy(core)
  revalidateDownloads(core)
}
