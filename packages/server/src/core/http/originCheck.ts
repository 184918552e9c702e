import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Config } from '../config/types.ts'
import { isLoopback } from '../config/addresses.ts'

/**
 * Whether a request that changes something, or opens a socket, comes from our own pages. Requests without Origin pass
 * unless Sec-Fetch-Site shows a foreign origin: only browsers make cross-site requests, and they declare them.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, config: Config): boolean {
  const { origin } = headers
  if (origin === undefined) {
    const site = headers['sec-fetch-site']
    return site === undefined || site === 'same-origin' || site === 'none'
  }
  if (config.publicUrl !== undefined) return origin === config.publicUrl
  return origin === `${config.tls === undefined ? 'http' : 'https'}://${headers.host}`
}

export const hostNameOf = (hostHeader: string) => hostHeader.toLowerCase().replace(/:\d{1,5}$/, '')

/**
 * Whether a request names this server as its host. A foreign name that resolves to 127.0.0.1 would make foreign pages
 * the same site as ours, in browsers of this machine.
 */
export function isOwnHost({ host: given }: IncomingHttpHeaders, { host, publicUrl }: Config): boolean {
  if (publicUrl !== undefined || !isLoopback(host)) return true
  if (given === undefined) return false
  const name = hostNameOf(given)
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || name === host
}

/** Headers that proxies add, but direct callers on the server's own machine do not. */
export const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
]

/**
 * Returns why a request is not for this server, or undefined. A server that trusts its own machine (the first account
 * becomes Super Admin, the passwords of demo accounts are shown) must not be reached through an unconfigured proxy.
 */
export function foreignHostError(headers: IncomingHttpHeaders, config: Config): AppError | undefined {
  if (!isOwnHost(headers, config))
    return new AppError('ORIGIN_REFUSED', {
      message: 'This server answers at localhost and 127.0.0.1 only. Set PUBLIC_URL to reach it under another name.',
    })
  if (config.loopback && proxyHeaders.some((name) => headers[name] !== undefined))
    return new AppError('ORIGIN_REFUSED', {
      message:
        'A proxy stands in front of this server, which answers its own machine only. Set PUBLIC_URL and TRUST_PROXY.',
    })
  return undefined
}

/** Refuses every request that is not for this server, also those for pages. */
export function rejectForeignHosts(app: FastifyInstance, config: Config): void {
  app.addHook('onRequest', (request, _reply, done) => done(foreignHostError(request.headers, config)))
}
