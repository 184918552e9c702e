import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/types.ts'

/** Names of the Trusted Types policies that the web client creates. */
const trustedTypePolicies = ['privity']

const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** For /api and /objects: data, never a document. */
const dataHeaders = {
  ...commonHeaders,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

const unusedFeatures = [
  'accelerometer',
  'browsing-topics',
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

/** Members scan connection codes with the camera; the founder's console needs none. */
export const permissionsPolicy = (camera: '' | 'self'): string =>
  [`camera=(${camera})`, ...unusedFeatures.map((feature) => `${feature}=()`)].join(', ')

const documentHeaders = {
  ...commonHeaders,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': permissionsPolicy('self'),
  'x-frame-options': 'DENY',
}

function contentSecurityPolicy(secure: boolean, host: string | undefined): string {
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
    `trusted-types ${trustedTypePolicies.join(' ')}`,
  ].join('; ')
}

/** Whether the address, as it was sent, belongs to data rather than a document. */
export const isDataPath = (url: string): boolean => url.startsWith('/api/') || url.startsWith('/objects/')

const transportSecurity = ({ secure }: Config) =>
  secure ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}

/** Headers of responses that are sent before any hook has run, as for an address that cannot be parsed. */
export const rawErrorHeaders = (config: Config) => ({ ...dataHeaders, ...transportSecurity(config) })

/** Adds the security headers to every response. */
export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const forData = rawErrorHeaders(config)
  const forDocuments = { ...documentHeaders, ...transportSecurity(config) }
  // A known public host replaces that of the request, because caches may keep the landing page with its headers.
  const publicHost = config.publicUrl === undefined ? undefined : new URL(config.publicUrl).host

  app.addHook('onRequest', (request, reply, done) => {
    // Checks the route too: an address may spell /api differently and still reach it.
    if (isDataPath(request.routeOptions.url ?? '') || isDataPath(request.url)) reply.headers(forData)
    else
      reply
        .headers(forDocuments)
        .header('content-security-policy', contentSecurityPolicy(config.secure, publicHost ?? request.host))
    done()
  })
}
