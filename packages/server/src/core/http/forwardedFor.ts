import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const withPort = /^\[(?<v6>[^\]]+)\](?::\d{1,5})?$|^(?<v4>[\d.]+):\d{1,5}$/

const mostProxies = 100
const mostLooked = 4_000

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
  // The nearest proxies stand last; anything before `mostProxies` of them was made up by the caller.
  const parts = given.slice(-mostLooked).split(',').slice(-mostProxies)
  headers['x-forwarded-for'] = parts.map((part) => addressIn(part.trim()) ?? socket.remoteAddress ?? '').join(', ')
}
