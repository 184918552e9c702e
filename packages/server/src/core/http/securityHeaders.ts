import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/types.ts'

/** Names of the Trusted Types policies that the web client creates. */
const trustedTypes = ['privity']

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** For /api and /objects: data, never a document. */
const data = {
  ...everywhere,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

const unused = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]

const document = {
  ...everywhere,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': unused.map((feature) => `${feature}=()`).join(', '),
  'x-frame-options': 'DENY',
}

function policy(secure: boolean, host: string | undefined): string {
  // Browsers differ on whether 'self' covers the WebSocket of the same host.
  const socket = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? ` ${secure ? 'wss' : 'ws'}://${host}` : ''
  return [
    "default-src 'none'",
    // WebAssembly (Argon2id, SHA-256) may be compiled; eval of scripts stays refused.
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self'${socket}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes.join(' ')}`,
  ].join('; ')
}

/** Whether the address, as it was sent, belongs to data rather than a document. */
export const isData = (url: string): boolean => url.startsWith('/api/') || url.startsWith('/objects/')

const strictIn = ({ secure }: Config) =>
  secure ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}

/** Headers of responses that are sent before any hook has run, as for an address that cannot be parsed. */
export const headersOfRefusal = (config: Config) => ({ ...data, ...strictIn(config) })

/** Adds the security headers to every response. */
export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const dataHeaders = headersOfRefusal(config)
  const documentHeaders = { ...document, ...strictIn(config) }
  // A known public host replaces that of the request, because caches may keep the landing page with its headers.
  const publicHost = config.publicUrl === undefined ? undefined : new URL(config.publicUrl).host

  app.addHook('onRequest', (request, reply, done) => {
    // Checks the route too: an address may spell /api differently and still reach it.
    if (isData(request.routeOptions.url ?? '') || isData(request.url)) reply.headers(dataHeaders)
    else
      reply
        .headers(documentHeaders)
        .header('content-security-policy', policy(config.secure, publicHost ?? request.host))
    done()
  })
}
