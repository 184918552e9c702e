import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { AppError, type ErrorCode } from '@privity/contract/errors'
import { ConfigError } from '../config/config.ts'
import type { Config } from '../config/types.ts'
import { readForwardedFor } from './callerAddress.ts'
import { rawErrorHeaders } from './securityHeaders.ts'

/** The responses of each connection that are not finished: clients may send a request before the last is answered. */
const unfinished = new WeakMap<Duplex, Set<ServerResponse>>()

export function trackResponse(stream: Duplex, response: ServerResponse): void {
  const ofStream = unfinished.get(stream) ?? new Set()
  unfinished.set(stream, ofStream.add(response))
  response.once('close', () => ofStream.delete(response))
}

/** The responses to earlier requests: to those that have arrived completely, or are being answered already. */
const earlierResponses = (stream: Duplex): ServerResponse[] =>
  [...(unfinished.get(stream) ?? [])].filter(({ headersSent, req }) => headersSent || req.complete)

/** Whether an earlier request of the connection has no whole answer yet. */
export const isAnswering = (stream: Duplex): boolean => earlierResponses(stream).length > 0

/** Counts a refused request by the status of its response. */
export type CountRefusal = (status: number) => void

/** Connections that close after a response that is still to come: each further byte is no request either. */
const closing = new WeakSet<Duplex>()

/**
 * Sends an error for a request that Fastify never sees (bytes that are no request, or a refused upgrade) in the usual
 * form, and closes the connection. Where an earlier request of the connection is being answered, it only closes: a
 * second status line would be read as part of that response's body. Where one is still to be answered, it closes after
 * that, because the error would be taken for its answer.
 */
export function sendRawError(stream: Duplex, error: AppError, config: Config, count: CountRefusal = () => {}): void {
  if (closing.has(stream)) return
  const earlier = earlierResponses(stream)
  if (!stream.writable || earlier.some(({ headersSent }) => headersSent)) return void stream.destroy()
  const last = earlier.at(-1)
  if (last !== undefined) {
    closing.add(stream)
    return void last.once('close', () => stream.destroy())
  }
  const body = JSON.stringify(error.toBody())
  const headers = {
    ...rawErrorHeaders(config),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...(error.retryAfter !== undefined && { 'retry-after': error.retryAfter }),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  count(error.status)
  const status = `${error.status} ${STATUS_CODES[error.status]}`
  stream.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`, () => stream.destroy())
}

/** Error codes of Node's HTTP parser; any other one means bytes that are no request. */
const parserErrorCodes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TOO_SLOW',
}

/** Creates the handler of the server's clientError event. */
export function handleParserErrors(config: Config, count?: CountRefusal) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    sendRawError(socket, new AppError(parserErrorCodes[error.code ?? ''] ?? 'INVALID_INPUT'), config, count)
  }
}

/** Ciphers with forward secrecy and authenticated encryption (RFC 9325, 4.2); those of TLS 1.3 all have both. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':')

function createSecureServer(tls: NonNullable<Config['tls']>, options: ServerOptions, handle: RequestListener): Server {
  const files = { cert: readFileSync(tls.cert), key: readFileSync(tls.key) }
  try {
    return createTlsServer({ ...options, ...files, minVersion: 'TLSv1.2', ciphers }, handle)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`TLS_CERT and TLS_KEY are no certificate in PEM and its key: ${reason}.`])
  }
}

/**
 * Whether a request names one host, or, as HTTP/1.0 may, none: of several, Node keeps the first, and a proxy in front
 * may use the last.
 */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1')
}

/** Creates an HTTP server, or HTTPS if TLS_CERT and TLS_KEY are set. Calls and uploads have shorter limits. */
export function createHttpServer(config: Config, handleRequest: RequestListener, count?: CountRefusal): Server {
  const handle: RequestListener = (request, response) => {
    if (!hasOneHost(request)) return sendRawError(request.socket, new AppError('INVALID_INPUT'), config, count)
    trackResponse(request.socket, response)
    if (config.trustProxy !== false) readForwardedFor(request)
    handleRequest(request, response)
  }
  const options = {
    keepAliveTimeout: 72_000,
    headersTimeout: 60_000,
    requestTimeout: 65 * 60_000,
    maxHeaderSize: 16 * 1024,
    // Node's own response has neither a body nor our headers.
    requireHostHeader: false,
    // Any other protocol may be ignored (RFC 9110, 7.8): the request is a usual call then.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
  }
  const server =
    config.tls === undefined ? createServer(options, handle) : createSecureServer(config.tls, options, handle)
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would refuse it in its own form.
  server.on('checkExpectation', handle)
  // Without a listener Node closes the connection without a response. This server is no proxy.
  server.on('connect', (_request, stream) => {
    stream.on('error', () => stream.destroy())
    sendRawError(stream, new AppError('INVALID_INPUT'), config, count)
  })
  return server
}
