import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AppError } from '@privity/contract/errors'
import type { Config } from '../config/config.ts'
import { headersOfRefusal } from './securityHeaders.ts'

/** The newest response of each connection. */
const responses = new WeakMap<Duplex, ServerResponse>()

export const noteResponse = (stream: Duplex, response: ServerResponse) => void responses.set(stream, response)

const isAnswering = (stream: Duplex): boolean => {
  const response = responses.get(stream)
  return response !== undefined && response.headersSent && !response.writableFinished
}

/**
 * Sends an error for a request that Fastify never sees (bytes that are no request, or a refused upgrade) in the usual
 * form, and closes the connection. If an earlier request of the connection is still being answered, it only closes: a
 * second status line would be read as part of that response's body.
 */
export function refuseRaw(stream: Duplex, error: AppError, config: Config): void {
  if (!stream.writable || isAnswering(stream)) return void stream.destroy()
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
