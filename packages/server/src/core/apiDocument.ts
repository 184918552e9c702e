import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '@privity/contract/endpoint'
import { type ErrorCode, errors } from '@privity/contract/errors'
import type { Core } from './core.ts'
import { guard } from './guards.ts'
import { version } from './version.ts'

const shared: ErrorCode[] = ['INVALID_INPUT', 'RATE_LIMITED', 'INTERNAL']
const ofMembers: ErrorCode[] = ['NOT_SIGNED_IN']
const ofFounder: ErrorCode[] = ['NOT_FOUNDER']
const ofAdministrators: ErrorCode[] = ['FORBIDDEN']
const ofChanges: ErrorCode[] = ['ORIGIN_REFUSED', 'BODY_TOO_LARGE']

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

/** Refusals by status, each with the codes and sentences it may carry. */
function describeRefusals({ method, guard: kind, errors: own }: Endpoint) {
  const codes = [
    ...(kind === 'founder' ? ofFounder : kind === 'public' ? [] : ofMembers),
    ...(kind === 'administrator' ? ofAdministrators : []),
    ...(method === 'GET' ? [] : ofChanges),
    ...shared,
    ...own,
  ]
  const statuses = [...new Set(codes.map((code) => errors[code].status))].sort((one, other) => one - other)
  return statuses.map((status) => {
    const lines = codes
      .filter((code) => errors[code].status === status)
      .map((code) => `${code}: ${errors[code].message}`)
    return [status, { description: lines.join('\n'), ...json({ $ref: '#/components/schemas/Error' }) }] as const
  })
}

function describeParameters(schema: z.ZodObject | undefined, place: 'path' | 'query') {
  return Object.entries(schema?.shape ?? {}).map(([name, value]) => ({
    name: name === '*' ? 'path' : name,
    in: place,
    required: place === 'path',
    schema: schemaOf(value as z.ZodType, 'input'),
  }))
}

function describeOperation(endpoint: Endpoint) {
  return {
    summary: endpoint.summary,
    parameters: [...describeParameters(endpoint.params, 'path'), ...describeParameters(endpoint.query, 'query')],
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, ...json(schemaOf(endpoint.body, 'input')) } }),
    responses: {
      [endpoint.status ?? 200]: { description: 'Done', ...json(schemaOf(endpoint.result, 'output')) },
      ...Object.fromEntries(describeRefusals(endpoint)),
    },
    security: endpoint.guard === 'public' ? [] : [endpoint.guard === 'founder' ? { founder: [] } : { session: [] }],
  }
}

/** The mounted calls as an OpenAPI 3.1 document. */
export function describeApi({
  endpoints,
  sessions,
  founderSessions,
}: Pick<Core, 'endpoints' | 'sessions' | 'founderSessions'>) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Privity', version },
    paths,
    components: {
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'code', 'message'],
          properties: {
            error: { type: 'string', description: 'the sentence to show' },
            code: { enum: Object.keys(errors) },
            message: { type: 'string' },
            details: {},
          },
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessions.cookieName },
        founder: { type: 'apiKey', in: 'cookie', name: founderSessions.cookieName },
      },
    },
  }
}

/** GET /api/docs. Made at the first call: nobody may ever ask. */
export function serveApiDocument(app: FastifyInstance, core: Core): void {
  let made: string | undefined
  app.get('/api/docs', { onRequest: guard(core, { method: 'GET', guard: 'public' }) }, async (_request, reply) => {
    made ??= JSON.stringify(describeApi(core))
    return reply.type('application/json; charset=utf-8').send(made)
  })
}
