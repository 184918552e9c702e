import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { Agent, request } from 'node:https'
import type { PushNetwork } from '../../core/core.ts'
import { isPublicAddress } from '../../core/http/publicAddress.ts'

/** The network as it is: the system's names, public addresses, certificates of public authorities. */
export const internet: PushNetwork = {
  resolve: (host) => lookup(host, { all: true }),
  isPublic: isPublicAddress,
  port: 443,
  tls: {},
}

/** Whether a host is one of `hosts`, where `*.example.org` stands for all below example.org. */
const isListed = (host: string, hosts: readonly string[]): boolean =>
  hosts.some((each) => (each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each))

/**
 * Whether this server sends to an endpoint, which a browser chooses: HTTPS at the usual port of a listed host. Anything
 * else could make the server call addresses in its own network.
 */
export function isAllowedEndpoint(endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, port, username, password, hash, hostname } = new URL(endpoint)
  return protocol === 'https:' && `${port}${username}${password}${hash}` === '' && isListed(hostname, hosts)
}

export interface PushRequest {
  headers: Record<string, string>
  body: Buffer
}

export interface PushResponse {
  status: number
  /** Seconds or a date. */
  retryAfter: string | undefined
}

/** A service's response says nothing beyond its status. */
const maxResponseBytes = 16 * 1024

/** Connections to push services, for one run of the job. */
export interface PushConnections {
  /**
   * Makes the request once the host's addresses are known: encrypting for one that is gone would cost more than asking.
   * Rejects where no response comes, and where the name leads to an address that is not public.
   */
  post(endpoint: string, makeRequest: () => PushRequest, signal: AbortSignal): Promise<PushResponse>
  close(): void
}

export function createPushConnections({ resolve, isPublic, port, tls }: PushNetwork): PushConnections {
  const agent = new Agent({ keepAlive: true })

  async function addressesOf(host: string): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
    const [first, ...others] = await resolve(host)
    if (first === undefined || ![first, ...others].every(({ address }) => isPublic(address)))
      throw Object.assign(new Error('a push service leads to an address that is not public'), { code: 'EPRIVATE' })
    return [first, ...others]
  }

  return {
    async post(endpoint, makeRequest, signal) {
      const { hostname, pathname, search } = new URL(endpoint)
      const addresses = await addressesOf(hostname)
      signal.throwIfAborted()
      const { headers, body } = makeRequest()
      return new Promise((done, fail) => {
        const call = request({
          ...tls,
          agent,
          signal,
          hostname,
          port,
          servername: hostname,
          method: 'POST',
          path: pathname + search,
          headers: { ...headers, 'content-length': body.length },
          // Connects to the addresses that were checked: asked again, the name could lead elsewhere.
          lookup: (_host, { all }, found) =>
            all ? found(null, [...addresses]) : found(null, addresses[0].address, addresses[0].family),
        })
        call.once('error', fail)
        call.once('response', (response) => {
          let bytes = 0
          response.on('data', (part: Buffer) => {
            bytes += part.length
            if (bytes > maxResponseBytes) response.destroy()
          })
          response.once('error', () => {})
          response.once('close', () =>
            done({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }),
          )
        })
        call.end(body)
      })
    },
    close: () => agent.destroy(),
  }
}
