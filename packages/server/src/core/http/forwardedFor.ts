import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const withPort = /^\[(?<v6>[^\]]+)\](?::\d{1,5})?$|^(?<v4>[\d.]+):\d{1,5}$/

const mostProxies = 100
const mostLooked = 4_000

/** The address alone: some proxies write the port of the connection behind it, a new one each time. */
function addressIn(part: string): string | undefined {
  const { v6, v4 } = withPort.exec(part)?.groups ?? {}
  const address = v6 ?? v4 ?? part
  return isIP(address) === 0 ? undefined : address
}

/**
 * Leaves nothing but addresses in X-Forwarded-For, one for each proxy as before: who is counted, locked and logged by
 * his address must not be able to have a new one whenever he likes, or a long text. What is no address counts as the
 * proxy that passed it on.
 */
export function readForwardedFor({ headers, socket }: IncomingMessage): void {
  const given = String(headers['x-forwarded-for'] ?? '')
  if (given === '' || isIP(given) !== 0) return
  // The nearest proxies stand last; what comes before more of them than there are is the caller's own invention.
  const parts = given.slice(-mostLooked).split(',').slice(-mostProxies)
  headers['x-forwarded-for'] = parts.map((part) => addressIn(part.trim()) ?? socket.remoteAddress ?? '').join(', ')
}
