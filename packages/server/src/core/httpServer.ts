import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { AppError, type ErrorCode } from '@privity/contract/errors'
import type { Config } from './config.ts'
import { readForwardedFor } from './forwardedFor.ts'
import { refuseRaw } from './rawRefusal.ts'

/** Error codes of Node's HTTP parser; any other means bytes that are no request. */
const ofParser: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TOO_SLOW',
}

/** The newest response of each connection. */
const responses = new WeakMap<Duplex, ServerResponse>()

const isAnswering = (socket: Duplex): boolean => {
  const response = responses.get(socket)
  return response !== undefined && response.headersSent && !response.writableFinished
}

/** The handler of the server's clientError event. */
export function answerParserErrors(config: Config) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    // A second status line would be read as part of the body that is on its way.
    if (error.code === 'ECONNRESET' || isAnswering(socket)) return void socket.destroy()
    refuseRaw(socket, new AppError(ofParser[error.code ?? ''] ?? 'INVALID_INPUT'), config)
  }
}

/** Forward secrecy and authenticated encryption (RFC 9325, 4.2); those of TLS 1.3 all have both. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':')

function createSecureServer(tls: NonNullable<Config['tls']>, options: ServerOptions, handle: RequestListener): Server {
  const files = { cert: readFileSync(tls.cert), key: readFileSync(tls.key) }
  return createTlsServer({ ...options, ...files, minVersion: 'TLSv1.2', ciphers }, handle)
}

/** HTTP, or HTTPS where TLS_CERT and TLS_KEY are set. A call and an upload have limits of their own, which end sooner. */
export function createHttpServer(config: Config, handleRequest: RequestListener): Server {
  const handle: RequestListener = (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      return refuseRaw(request.socket, new AppError('INVALID_INPUT'), config)
    responses.set(request.socket, response)
    if (config.trustProxy !== false) readForwardedFor(request)
    handleRequest(request, response)
  }
  const options = {
    keepAliveTimeout: 72_000,
    headersTimeout: 60_000,
    requestTimeout: 65 * 60_000,
    maxHeaderSize: 16 * 1024,
    // Node's refusal has neither a body nor our headers.
    requireHostHeader: false,
  }
  const server =
    config.tls === undefined ? createServer(options, handle) : createSecureServer(config.tls, options, handle)
  // An expectation that is not understood may be passed over (RFC 9110, 10.1.1); Node would refuse it in its own form.
  server.on('checkExpectation', handle)
  return server
}
