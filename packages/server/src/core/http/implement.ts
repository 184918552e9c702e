import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import compileSerializer from 'fast-json-stringify'
import type { Endpoint, Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { type Caller, callerOf, type Founder, founderOf, guard } from './guards.ts'
import type { Core } from '../core.ts'
import { rejectNulBytes } from './jsonBody.ts'

type Serialize = (value: unknown) => string

const serializers = new WeakMap<z.ZodType, Serialize>()

function serializerOf(result: z.ZodType): Serialize {
  const serialize =
    serializers.get(result) ?? compileSerializer(z.toJSONSchema(result, { target: 'draft-7' }) as object)
  serializers.set(result, serialize)
  return serialize
}

/**
 * Writes results as JSON, cut to the declared shape. Compiled for the first result and once per process: compiling all
 * calls in advance took a quarter of the start.
 */
export function serializer(result: z.ZodType): Serialize {
  let serialize: Serialize | undefined
  return (value) => (serialize ??= serializerOf(result))(value)
}

/** onSend hook of polled calls: sets an ETag and replies 304 if the client already has this version. */
export async function etagHook(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const tag = `"${hash('sha256', payload, 'base64url').slice(0, 22)}"`
  reply.header('etag', tag)
  if (request.headers['if-none-match'] !== tag) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return ''
}

/** The input of a handler: the parsed parts, the caller, and the raw request and reply for cookies. */
export type Input<E extends Endpoint> = Received<E> & {
  caller: E['guard'] extends 'member' | 'administrator' ? Caller : Caller | undefined
  /** Set for a founder's endpoint only. */
  founder: E['guard'] extends 'founder' ? Founder : undefined
  request: FastifyRequest
  reply: FastifyReply
}

export type Handlers<Endpoints extends Record<string, Endpoint>> = {
  [Name in keyof Endpoints]: (input: Input<Endpoints[Name]>) => Promise<Result<Endpoints[Name]>>
}

function parseInput(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new AppError('INVALID_INPUT', { details })
}

/**
 * Mounts the endpoints of a contract file: guard, rate limit, parsed input, results cut to the declared shape. A
 * handler may set another success status. A missing handler is a compile error.
 */
export function implement<Endpoints extends Record<string, Endpoint>>(
  app: FastifyInstance,
  core: Core,
  endpoints: Endpoints,
  handlers: Handlers<Endpoints>,
): void {
  for (const name of Object.keys(endpoints) as (keyof Endpoints)[]) {
    const endpoint = endpoints[name] as Endpoints[typeof name]
    const handle = handlers[name]
    const status = endpoint.status ?? 200
    const needsCaller = endpoint.guard === 'member' || endpoint.guard === 'administrator'
    core.endpoints.push(endpoint)
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      bodyLimit: endpoint.bodyBytes,
      // The contract declares the shape; Fastify asks for a serializer only if it sees a schema.
      schema: { response: { '2xx': {} } },
      serializerCompiler: () => serializer(endpoint.result),
      ...guard(core, endpoint),
      ...(endpoint.polled ? { onSend: etagHook } : {}),
      handler(request, reply) {
        const params = parseInput(endpoint.params, request.params)
        const query = parseInput(endpoint.query, request.query)
        const body = parseInput(endpoint.body, request.body)
        rejectNulBytes(request)
        const input = {
          params,
          query,
          body,
          caller: needsCaller ? callerOf(request) : request.caller,
          founder: endpoint.guard === 'founder' ? founderOf(request) : undefined,
          request,
          reply,
        }
        reply.code(status)
        return handle(input as Input<Endpoints[typeof name]>)
      },
    })
  }
}
