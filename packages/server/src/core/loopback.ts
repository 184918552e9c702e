import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Config } from './config.ts'

/** Whether a host name or address can only be this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

const nameIn = (hostHeader: string) => hostHeader.toLowerCase().replace(/:\d{1,5}$/, '')

/**
 * Whether a request was sent to this server under a name of its own. A name that somebody else makes
 * point to 127.0.0.1 would make his pages the same site as ours, in the browsers of this machine.
 */
export function isOwnHost(hostHeader: string | undefined, { host, publicUrl }: Config): boolean {
  if (publicUrl !== undefined || !isLoopback(host)) return true
  if (hostHeader === undefined) return false
  const name = nameIn(hostHeader)
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || name === host
}

export const foreignHost = (): AppError =>
  new AppError('ORIGIN_REFUSED', {
    message: 'This server answers at localhost and 127.0.0.1 only. Set PUBLIC_URL to reach it under another name.',
  })

/** Refuses every request, of pages too, that was sent to a foreign name. */
export function refuseForeignHosts(app: FastifyInstance, config: Config): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(isOwnHost(request.headers.host, config) ? undefined : foreignHost())
  })
}
