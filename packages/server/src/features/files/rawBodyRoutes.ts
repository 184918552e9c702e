import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { AppError } from '@privity/contract/errors'
import { downloadPath, uploadPath } from '@privity/contract/files'
import { id } from '@privity/contract/values'
import type { Core } from '../../core/core.ts'
import { callerOf, guard } from '../../core/http/guards.ts'
import { takeTime } from '../../core/http/jsonBody.ts'
import { openDownload } from './downloads.ts'
import { drain, mostBytes, receiveUpload } from './uploads.ts'

interface WithId {
  Params: { id: string }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Streams the body to the store: nothing parses it, and no more is read than a file may have. */
function mountUpload(app: FastifyInstance, core: Core): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.put<WithId>(
    uploadPath,
    { onRequest: guard(core, { method: 'PUT', guard: 'member' }) },
    async (request, reply) => {
      const { id } = request.params
      const declared = request.headers['content-length']
      takeTime(request.raw)
      try {
        if (declared !== undefined && Number(declared) > mostBytes) throw new AppError('FILE_TOO_LARGE')
        if (!uuid.test(id)) throw new AppError('UPLOAD_NOT_FOUND')
        const most = declared === undefined ? mostBytes : Number(declared)
        await receiveUpload(core, callerOf(request), { id, most }, request.raw)
        return {}
      } catch (error) {
        const isSlow = error instanceof AppError && error.code === 'UPLOAD_TOO_SLOW'
        if (!isSlow && declared !== undefined && Number(declared) <= mostBytes) await drain(core, request.raw)
        else reply.header('connection', 'close')
        throw error
      }
    },
  )
}

function mountDownload(app: FastifyInstance, core: Core): void {
  app.get<WithId>(
    downloadPath,
    { onRequest: guard(core, { method: 'GET', guard: 'member', writes: true }) },
    async (request, reply) => {
      const { id } = request.params
      if (!uuid.test(id)) throw new AppError('FILE_NOT_FOUND')
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

export function mountRaw(app: FastifyInstance, core: Core): void {
  core.rawCalls.push(
    {
      method: 'PUT',
      path: uploadPath,
      guard: 'member',
      params,
      sends: 'application/octet-stream',
      answers: ['application/json'],
      errors: ['FILE_TOO_LARGE', 'UPLOAD_NOT_FOUND', 'UPLOAD_TOO_SLOW', 'FILES_FULL'],
      summary: 'The ciphertext of a file, to an address that POST /api/objects/upload gave; answers {}',
    },
    {
      method: 'GET',
      path: downloadPath,
      guard: 'member',
      params,
      answers: ['application/octet-stream'],
      errors: ['ORIGIN_REFUSED', 'FILE_NOT_FOUND', 'DOWNLOAD_NOT_AUTHORIZED', 'DOWNLOADS_USED_UP'],
      summary: 'The ciphertext of a file; counts one of the downloads of an authorization',
    },
  )
  app.register(async (scope) => mountUpload(scope, core))
  mountDownload(app, core)
}
