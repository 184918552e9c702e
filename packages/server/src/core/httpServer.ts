import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Config } from './config.ts'
import { readForwardedFor } from './forwardedFor.ts'

/** HTTP, or HTTPS where TLS_CERT and TLS_KEY are set. A call and an upload have limits of their own, which end sooner. */
export function createHttpServer(config: Config, handleRequest: RequestListener): Server {
  const handle: RequestListener = (request, response) => {
    if (config.trustProxy !== false) readForwardedFor(request)
    handleRequest(request, response)
  }
  const options = {
    keepAliveTimeout: 72_000,
    headersTimeout: 60_000,
    requestTimeout: 65 * 60_000,
    maxHeaderSize: 16 * 1024,
  }
  if (config.tls === undefined) return createServer(options, handle)
  const files = { cert: readFileSync(config.tls.cert), key: readFileSync(config.tls.key) }
  return createTlsServer({ ...options, ...files, minVersion: 'TLSv1.2' }, handle)
}
