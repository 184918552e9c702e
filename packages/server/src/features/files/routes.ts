import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { AppError } from '@privity/contract/errors'
import { idPattern } from '@privity/contract/fileRef'
import { downloadPath, files, uploadPath } from '@privity/contract/files'
import { id } from '@privity/contract/values'
import type { Core } from '../../core/core.ts'
import { callerOf, guard } from '../../core/http/guards.ts'
import { implement } from '../../core/http/implement.ts'
import { exemptFromBodyTimeout } from '../../core/http/jsonBody.ts'
import { abortTransfersOnPolicyChange, abortTransfersWithoutAccess, revalidateDownloads } from './activeTransfers.ts'
import { checkFile, decideAuthorization, listPending, requestFile } from './authorizations.ts'
import { openDownload } from './downloads.ts'
import { createUpload, drainBody, maxUploadBytes, receiveUpload, registerFile } from './uploads.ts'

interface WithId {
  Params: { id: string }
}

/** Streams the body to the store: nothing parses it, and no more is read than a file may have. */
function mountUpload(app: FastifyInstance, core: Core): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.put<WithId>(uploadPath, guard(core, { method: 'PUT', guard: 'member' }), async (request, reply) => {
    const { id } = request.params
    const header = request.headers['content-length']
    const declaredBytes = header === undefined ? undefined : Number(header)
    exemptFromBodyTimeout(request.raw)
    try {
      if (declaredBytes !== undefined && declaredBytes > maxUploadBytes) throw new AppError('FILE_TOO_LARGE')
      if (!idPattern.test(id)) throw new AppError('UPLOAD_NOT_FOUND')
      const maxBytes = declaredBytes ?? maxUploadBytes
      await receiveUpload(core, callerOf(request), { id, maxBytes }, request.raw)
      return {}
    } catch (error) {
      const isSlow = error instanceof AppError && error.code === 'UPLOAD_TOO_SLOW'
      if (!isSlow && declaredBytes !== undefined && declaredBytes <= maxUploadBytes) await drainBody(core, request.raw)
      else reply.header('connection', 'close')
      throw error
    }
  })
}

/** A recipient needs an authorization with `downloads_left > 0`: see `reserveDownload` in queries.ts. */
function mountDownload(app: FastifyInstance, core: Core): void {
  app.get<WithId>(
    downloadPath,
    guard(core, { method: 'GET', guard: 'member', writes: true }),
    async (request, reply) => {
      const { id } = request.params
      if (!idPattern.test(id)) throw new AppError('FILE_NOT_FOUND')
      const { size, body, closed } = await openDownload(core, callerOf(request), id)
      if (reply.raw.destroyed) closed()
      else reply.raw.once('close', closed)
      return reply
        .type('application/octet-stream')
        .headers({ 'content-length': size, 'content-disposition': 'attachment', 'accept-ranges': 'none' })
        .send(body)
    },
  )
}

const params = z.object({ id })

function mountRawBodies(app: FastifyInstance, core: Core): void {
  core.rawCalls.push(
    {
      method: 'PUT',
      path: uploadPath,
      guard: 'member',
      params,
      requestType: 'application/octet-stream',
      responseTypes: ['application/json'],
      errors: ['FILE_TOO_LARGE', 'UPLOAD_NOT_FOUND', 'UPLOAD_TOO_SLOW', 'FILES_FULL'],
      summary: 'Upload the ciphertext of a file to an address returned by POST /api/objects/upload; returns {}',
    },
    {
      method: 'GET',
      path: downloadPath,
      guard: 'member',
      writes: true,
      params,
      responseTypes: ['application/octet-stream'],
      errors: ['FILE_NOT_FOUND', 'DOWNLOAD_NOT_AUTHORIZED', 'DOWNLOADS_USED_UP'],
      summary: 'Download the ciphertext of a file; uses one of the downloads of an authorization',
    },
  )
  app.register(async (scope) => mountUpload(scope, core))
  mountDownload(app, core)
}

export function mountFiles(app: FastifyInstance, core: Core): void {
  implement(app, core, files, {
    createUpload: ({ caller }) => createUpload(core, caller),
    register: ({ caller, body }) => registerFile(core, caller, body.fileURL),
    listPending: ({ caller }) => listPending(core, caller.userId),
    decide: ({ caller, params: { id: authorizationId }, body }) =>
      decideAuthorization(core, caller, authorizationId, body),
    check: ({ caller, params: { '*': reference } }) => checkFile(core, caller.userId, reference),
    request: ({ caller, body }) => requestFile(core, caller, body.filePath),
  })
  mountRawBodies(app, core)
  abortTransfersWithoutAccess(core)
  abortTransfersOnPolicyChange(core)
  revalidateDownloads(core)
}
