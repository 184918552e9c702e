import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/loopback.ts'

export const nameIn = (hostHeader: string) => hostHeader.toLowerCase().replace(/:\d{1,5}$/, '')

/**
 * Whether a request was sent to this server under a name of its own. A name that somebody else makes
 * point to 127.0.0.1 would make his pages the same site as ours, in the browsers of this machine.
 */
export function isOwnHost({ host: given }: IncomingHttpHeaders, { host, publicUrl }: Config): boolean {
  if (publicUrl !== undefined || !isLoopback(host)) return true
  if (given === undefined) return false
  const name = nameIn(given)
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || name === host
}

/** What proxies write, and nobody who calls a server on his own machine. */
export const ofProxies = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

/**
 * Why a request is not for this server; undefined where it is. One that trusts its own machine (the first account is
 * Super Admin, the demo accounts' passwords are told) must not be reached through a proxy that nobody told it of.
 */
export function whyForeign(headers: IncomingHttpHeaders, config: Config): AppError | undefined {
  if (!isOwnHost(headers, config))
    return new AppError('ORIGIN_REFUSED', {
      message: 'This server answers at localhost and 127.0.0.1 only. Set PUBLIC_URL to reach it under another name.',
    })
  if (config.loopback && ofProxies.some((name) => headers[name] !== undefined))
    return new AppError('ORIGIN_REFUSED', {
      message:
        'A proxy stands in front of this server, which answers its own machine only. Set PUBLIC_URL and TRUST_PROXY.',
    })
  return undefined
}

/** Refuses every request, of pages too, that is not for this server. */
export function refuseForeignHosts(app: FastifyInstance, config: Config): void {
  app.addHook('onRequest', (request, _reply, done) => done(whyForeign(request.headers, config)))
}
