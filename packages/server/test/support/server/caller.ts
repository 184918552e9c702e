import type { Endpoint, Result, Sent } from '@privity/contract/endpoint'
import type { ErrorBody } from '@privity/contract/errors'

export interface Answer<T> {
  status: number
  headers: Headers
  body: T
}

export interface Caller {
  /** Sent as X-Forwarded-For if the server trusts a proxy. */
  readonly address: string
  cookies: Map<string, string>
  /** Calls and expects success: throws with the response otherwise. */
  call<E extends Endpoint>(endpoint: E, sent: Sent<E>): Promise<Result<E>>
  /** Calls and expects a refusal: throws if the call succeeds. */
  refused<E extends Endpoint>(endpoint: E, sent: Sent<E>): Promise<Answer<ErrorBody>>
  /** Sends any request with this browser's cookies, and keeps the cookies of the response. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sends any JSON request, and resolves with any response. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<unknown>>
}

let addresses = 0
/** The address of a browser on a network of its own. */
export const nextAddress = (): string => {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)|\*/g, (found, name: string | undefined) => {
    const value = String(params[name ?? '*'])
    return found === '*' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
}

function addressOf(endpoint: Endpoint, { params, query }: { params?: object; query?: object }): string {
  const search = new URLSearchParams(
    Object.entries(query ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  )
  const path = fillPath(endpoint.path, params as Record<string, unknown>)
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

/**
 * One browser with its own cookies. `origin()` is the server's current URL. Without an address it calls directly, with
 * one as through a proxy.
 */
export function createCaller(origin: () => string, forwardedFor?: string): Caller {
  const address = forwardedFor ?? '127.0.0.1'
  const cookies = new Map<string, string>()

  function keepCookies(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (attributes.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (forwardedFor !== undefined && !headers.has('x-forwarded-for')) headers.set('x-forwarded-for', forwardedFor)
    if (cookies.size > 0 && !headers.has('cookie')) {
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    const response = await fetch(origin() + path, { redirect: 'manual', ...init, headers })
    keepCookies(response.headers)
    return response
  }

  async function request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<unknown>> {
    const content = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await send(path, {
      method,
      headers: { ...content, ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(text) as unknown) : text }
  }

  const ask = (endpoint: Endpoint, sent: { params?: object; query?: object; body?: unknown }) =>
    request(endpoint.method, addressOf(endpoint, sent), sent.body)

  return {
    address,
    cookies,
    async call<E extends Endpoint>(endpoint: E, sent: Sent<E>) {
      const answer = await ask(endpoint, sent)
      if (answer.status !== (endpoint.status ?? 200)) {
        throw new Error(`${endpoint.method} ${endpoint.path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
      }
      return endpoint.result.parse(answer.body) as Result<E>
    },
    async refused(endpoint, sent) {
      const answer = await ask(endpoint, sent)
      if (answer.status < 400) throw new Error(`${endpoint.method} ${endpoint.path} answered ${answer.status}`)
      return answer as Answer<ErrorBody>
    },
    fetch: send,
    request,
  }
}
