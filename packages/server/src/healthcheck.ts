/** Health check for containers: exits with 0 if GET /api/alive of the server beside it succeeds, else with 1. */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

const { HOST = '127.0.0.1', PORT = '3000', TLS_CERT = '' } = process.env
const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[HOST] ?? HOST
const timeoutMs = 4_000

const end = (code: number): never => process.exit(code)
const options = { host, port: Number(PORT), path: '/api/alive', timeout: timeoutMs }
// The certificate is for the public name, which this request to the same machine does not use.
const request = TLS_CERT === '' ? requestHttp(options) : requestHttps({ ...options, rejectUnauthorized: false })
request
  .on('response', ({ statusCode }) => end(statusCode === 200 ? 0 : 1))
  .on('timeout', () => end(1))
  .on('error', () => end(1))
  .end()
