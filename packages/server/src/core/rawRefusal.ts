import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AppError } from '@privity/contract/errors'
import type { Config } from './config.ts'
import { headersOfRefusal } from './headers.ts'

/**
 * Answers a request that Fastify never sees (bytes that are no request, or a refused upgrade) as it answers all others,
 * and ends the connection.
 */
export function refuseRaw(stream: Duplex, error: AppError, config: Config): void {
  if (!stream.writable) return void stream.destroy()
  const body = JSON.stringify(error.toBody())
  const headers = {
    ...headersOfRefusal(config),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const status = `${error.status} ${STATUS_CODES[error.status]}`
  stream.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`, () => stream.destroy())
}
