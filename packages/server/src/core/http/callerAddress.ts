import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import type { Config } from '../config/types.ts'

const withPort = /^\[(?<v6>[^\]]+)\](?::\d{1,5})?$|^(?<v4>[\d.]+):\d{1,5}$/

const maxProxies = 100
const maxForwardedForLength = 4_000

/** Returns the address without the connection's port, which some proxies append and which changes each time. */
function addressIn(part: string): string | undefined {
  const { v6, v4 } = withPort.exec(part)?.groups ?? {}
  const address = v6 ?? v4 ?? part
  return isIP(address) === 0 ? undefined : address
}

/**
 * Reduces X-Forwarded-For to addresses, one per proxy as before: callers are counted, locked and logged by address, so
 * they must not choose a new one at will or send a long text. A part that is no address becomes the address of the
 * connected proxy.
 */
export function readForwardedFor({ headers, socket }: IncomingMessage): void {
  const given = String(headers['x-forwarded-for'] ?? '')
  if (given === '' || isIP(given) !== 0) return
  // The nearest proxies stand last; anything before `maxProxies` of them was made up by the caller.
  const parts = given.slice(-maxForwardedForLength).split(',').slice(-maxProxies)
  headers['x-forwarded-for'] = parts.map((part) => addressIn(part.trim()) ?? socket.remoteAddress ?? '').join(', ')
}

/** The proxies whose word about the caller's address counts, in the form that Fastify takes. */
export const trustedProxies = ({
  trustProxy,
}: Pick<Config, 'trustProxy'>): false | string[] | ((address: string, hop: number) => boolean) =>
  typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy

/** Returns the caller's address of a request that Fastify never sees, as Fastify would. */
export function callerAddress(request: IncomingMessage, config: Pick<Config, 'trustProxy'>): string {
  const proxies = trustedProxies(config)
  if (proxies === false) return request.socket.remoteAddress ?? ''
  readForwardedFor(request)
  return proxyAddress(request, proxies)
}
