import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '@privity/contract/endpoint'
import { type ErrorCode, errors } from '@privity/contract/errors'
import type { Core, RawCall } from '../core.ts'
import { guard } from './guards.ts'
import { version } from '../config/config.ts'

/** ORIGIN_REFUSED: a request from another site that changes something, or for a foreign host. */
const errorsOfAll: ErrorCode[] = ['INVALID_INPUT', 'ORIGIN_REFUSED', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE']
const errorsOfMembers: ErrorCode[] = ['NOT_SIGNED_IN', 'SECOND_FACTOR_MISSING']
const errorsOfFounder: ErrorCode[] = ['NOT_FOUNDER', 'FOUNDER_PASSWORD_GENERATED']
const errorsOfAdministrators: ErrorCode[] = ['FORBIDDEN']
const errorsOfChanges: ErrorCode[] = ['STORAGE_FULL']
const errorsOfBodies: ErrorCode[] = ['BODY_TOO_LARGE']

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

/** Groups a call's errors by status, each with its codes and messages. */
function describeErrors({
  method,
  guard: kind,
  writes = method !== 'GET',
  errors: own = [],
}: Pick<Endpoint, 'method' | 'guard' | 'writes' | 'errors'>) {
  const all: ErrorCode[] = [
    ...(kind === 'founder' ? errorsOfFounder : kind === 'public' ? [] : errorsOfMembers),
    ...(kind === 'administrator' ? errorsOfAdministrators : []),
    ...(writes ? errorsOfChanges : []),
    ...(method === 'GET' ? [] : errorsOfBodies),
    ...errorsOfAll,
    ...own,
  ]
  const codes = [...new Set(all)]
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
    required: place === 'path' || !(value as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(value as z.ZodType, 'input'),
  }))
}

type Described = Pick<
  Endpoint,
  'method' | 'guard' | 'writes' | 'errors' | 'summary' | 'params' | 'query' | 'status' | 'otherStatus' | 'polled'
>

function describeOperation(call: Described, body: object | undefined, answer: object) {
  return {
    summary: call.summary,
    parameters: [...describeParameters(call.params, 'path'), ...describeParameters(call.query, 'query')],
    ...(body === undefined ? {} : { requestBody: { required: true, ...body } }),
    responses: {
      [call.status ?? 200]: { description: 'Done', ...answer },
      ...Object.fromEntries(describeErrors(call)),
      ...(call.otherStatus && { [call.otherStatus.status]: { description: call.otherStatus.when, ...answer } }),
      ...(call.polled && { 304: { description: 'Unchanged since the response with the ETag in If-None-Match' } }),
    },
    security: call.guard === 'public' ? [] : [call.guard === 'founder' ? { founder: [] } : { session: [] }],
  }
}

const describeCall = (endpoint: Endpoint) =>
  describeOperation(
    endpoint,
    endpoint.body && json(schemaOf(endpoint.body, 'input')),
    json(schemaOf(endpoint.result, 'output')),
  )

/** Bytes have no schema (OpenAPI 3.1, "Considerations for File Uploads"). */
const bytes = (types: readonly string[]) => ({ content: Object.fromEntries(types.map((type) => [type, {}])) })

const describeRaw = (call: RawCall) =>
  describeOperation(
    call,
    call.requestType === undefined ? undefined : bytes([call.requestType]),
    bytes(call.responseTypes),
  )

/** Describes the mounted calls as an OpenAPI 3.1 document. */
export function describeApi({
  endpoints,
  rawCalls,
  sessions,
  founderSessions,
}: Pick<Core, 'endpoints' | 'rawCalls' | 'sessions' | 'founderSessions'>) {
  const paths: Record<string, Record<string, unknown>> = {}
  function describe({ method, path: declared }: Pick<Endpoint, 'method' | 'path'>, operation: object): void {
    const path = declared.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const endpoint of endpoints) describe(endpoint, describeCall(endpoint))
  for (const call of rawCalls) describe(call, describeRaw(call))
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

/** Serves GET /api/docs. Built at the first request, which may never come. */
export function serveApiDocument(app: FastifyInstance, core: Core): void {
  let document: string | undefined
  app.get('/api/docs', guard(core, { method: 'GET', guard: 'public', weight: 20 }), async (_request, reply) => {
    document ??= JSON.stringify(describeApi(core))
    return reply.type('application/json; charset=utf-8').send(document)
  })
}
