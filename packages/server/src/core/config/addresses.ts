import { isIP } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import type { MailConfig } from './types.ts'

/** Decodes percent-encoding; undefined if a % is not followed by two hexadecimal digits. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/** Whether a host name or address can only be this machine. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' ||
  host === '::1' ||
  host === '[::1]' ||
  (isIP(host) === 4 && host.startsWith('127.'))

/** Whether a URL uses one of these schemes, which have no TLS, to reach another machine. */
export function isPlaintext(url: string, schemes: readonly string[]): boolean {
  const { protocol, hostname } = new URL(url)
  return schemes.includes(protocol) && !isLoopback(hostname)
}

/** Whether a URL has no more than a host: no path, query or fragment. */
const isHostOnly = ({ hostname, pathname, search, hash }: URL) =>
  hostname !== '' && /^\/?$/.test(pathname) && search === '' && hash === ''

/** Returns the origin (https://chat.example.org) of an address without a path. */
export function parseOrigin(text: string): string | undefined {
  const url = parseUrl(text)
  return url !== undefined && /^https?:$/.test(url.protocol) && isHostOnly(url) ? url.origin : undefined
}

export const isDatabaseUrl = (text: string): boolean =>
  /^postgres(?:ql)?:\/\//.test(text) && (parseUrl(text)?.pathname.length ?? 0) > 1

export function isValkeyUrl(text: string): boolean {
  const url = parseUrl(text)
  if (url === undefined || !/^(valkey|redis)s?:$/.test(url.protocol) || url.hostname === '') return false
  return decodePercent(url.username) !== undefined && decodePercent(url.password) !== undefined
}

/** Returns the number of proxies in front, or their addresses, whose X-Forwarded-For is trusted. */
export function parseProxies(text: string): false | number | string[] | undefined {
  if (text === '0' || text === 'false') return false
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const groups = ['loopback', 'linklocal', 'uniquelocal']
  const list = text.split(',').map((part) => part.trim())
  const isAddress = (part: string) => groups.includes(part) || isIP(part.split('/')[0] as string) !== 0
  if (!list.every(isAddress)) return undefined
  try {
    // Throws for a prefix length that the address cannot have, such as 10.0.0.0/33.
    proxyAddress.compile(list)
    return list
  } catch {
    return undefined
  }
}

/** Returns the names of hosts in a list, or no host for 'none'; undefined for anything else, such as an address. */
export function parseHosts(text: string): string[] | undefined {
  if (text === 'none') return []
  const hosts = text.split(',').map((part) => part.trim().toLowerCase())
  const isHost = (host: string) => /^(\*\.)?([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host)
  return hosts.every(isHost) ? hosts : undefined
}

export function parseMailServer(text: string): Omit<MailConfig, 'from'> | undefined {
  const url = parseUrl(text)
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || !isHostOnly(url)) return undefined
  const { hostname, port } = url
  const [user, pass] = [decodePercent(url.username), decodePercent(url.password)]
  if (user === undefined || pass === undefined || (user === '') !== (pass === '')) return undefined
  const secure = url.protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    auth: user === '' ? undefined : { user, pass },
  }
}
