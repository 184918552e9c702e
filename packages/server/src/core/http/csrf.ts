import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config/config.ts'

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
