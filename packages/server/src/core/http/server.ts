import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { AppError, type ErrorCode } from '@privity/contract/errors'
import type { Config } from '../config/config.ts'
import { readForwardedFor } from './forwardedFor.ts'
import { noteResponse, refuseRaw } from './rawResponse.ts'

/** Error codes of Node's HTTP parser; any other one means bytes that are no request. */
const ofParser: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TOO_SLOW',
}

/** Creates the handler of the server's clientError event. */
export function answerParserErrors(config: Config) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    refuseRaw(socket, new AppError(ofParser[error.code ?? ''] ?? 'INVALID_INPUT'), config)
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
  return createTlsServer({ ...options, ...files, minVersion: 'TLSv1.2', ciphers }, handle)
}

/** Counts the Host headers of a request: of several, Node keeps the first, and a proxy in front may use the last. */
const hostsOf = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length

/** Creates an HTTP server, or HTTPS if TLS_CERT and TLS_KEY are set. Calls and uploads have shorter limits. */
export function createHttpServer(config: Config, handleRequest: RequestListener): Server {
  const handle: RequestListener = (request, response) => {
    if (hostsOf(request) > 1 || (hostsOf(request) === 0 && request.httpVersion === '1.1'))
      return refuseRaw(request.socket, new AppError('INVALID_INPUT'), config)
    noteResponse(request.socket, response)
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
  }
  const server =
    config.tls === undefined ? createServer(options, handle) : createSecureServer(config.tls, options, handle)
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would refuse it in its own form.
  server.on('checkExpectation', handle)
  // Without a listener Node closes the connection without a response. This server is no proxy.
  server.on('connect', (_request, stream) => {
    stream.on('error', () => stream.destroy())
    refuseRaw(stream, new AppError('INVALID_INPUT'), config)
  })
  return server
}
