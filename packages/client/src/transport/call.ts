import type { Endpoint, Result, Sent } from '@privity/contract/endpoint'
import type { ErrorBody, ErrorCode } from '@privity/contract/errors'
import { CallError } from './callError.ts'
import type { Clock } from './clock.ts'

export type Call = <E extends Endpoint>(endpoint: E, sent: Sent<E>) => Promise<Result<E>>

/** A server that does not respond within this time counts as unreachable. */
const callTimeoutMs = 30_000

function addressOf(endpoint: Endpoint, params: Record<string, unknown>, query: Record<string, unknown>): string {
  const path = endpoint.path.replaceAll(/:(\w+)|\*$/g, (match, name: string | undefined) =>
    name === undefined ? String(params[match]).replace(/^\//, '') : encodeURIComponent(String(params[name])),
  )
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  return entries.length === 0
    ? path
    : `${path}?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`
}

function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as ErrorBody
    return typeof body.error === 'string' && /^[A-Z_]+$/.test(body.code) ? body : undefined
  } catch {
    return undefined
  }
}

/** Creates the error of a failed response, whether the server or a proxy in between wrote it. */
export function createCallError(response: {
  status: number
  statusText: string
  text: string
  retryAfter: string | null
}) {
  const body = parseErrorBody(response.text)
  const unknown: ErrorCode = response.status >= 500 ? 'UNAVAILABLE' : 'INTERNAL'
  return new CallError(body?.code ?? unknown, {
    status: response.status,
    sentence: body?.error,
    unexplained: body === undefined,
    text: response.text || response.statusText,
    details: body?.details,
    retryAfter: Number(response.retryAfter) || undefined,
  })
}

export async function toCallError(response: Response): Promise<CallError> {
  const text = await response.text().catch(() => '')
  const { status, statusText, headers } = response
  return createCallError({ status, statusText, text, retryAfter: headers.get('retry-after') })
}

export const offlineError = (cause: unknown) => new CallError('OFFLINE', { cause })

const orOffline = <T>(response: Promise<T>): Promise<T> =>
  response.catch((cause: unknown) => {
    throw offlineError(cause)
  })

function parse<E extends Endpoint>(endpoint: E, status: number, json: unknown): Result<E> {
  const parsed = endpoint.result.safeParse(json)
  if (parsed.success) return parsed.data as Result<E>
  throw new CallError('RESPONSE_UNREADABLE', { status, cause: parsed.error })
}

/**
 * Creates the typed calls of the contract, sent with cookies. `isSignedIn` runs after a 401 that means an ended
 * session: where it resolves to true, the call was refused for a former cookie, and is sent again once.
 * `onFactorMissing` runs after every refusal for lack of a second factor that the organization requires.
 */
export function createCall(
  origin: string,
  fetch: typeof globalThis.fetch,
  isSignedIn: (refused: Endpoint) => Promise<boolean>,
  onFactorMissing: () => void = () => {},
): Call {
  /** The last response of each polled address, with its ETag. */
  const polled = new Map<string, { tag: string; result: unknown }>()

  async function send<E extends Endpoint>(endpoint: E, sent: Sent<E>, isSentAgain: boolean): Promise<Result<E>> {
    const { params = {}, query = {}, body } = sent as { params?: object; query?: object; body?: unknown }
    const address = addressOf(endpoint, { ...params }, { ...query })
    const known = endpoint.polled ? polled.get(address) : undefined
    const response = await orOffline(
      fetch(origin + address, {
        method: endpoint.method,
        credentials: 'include',
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(known && { 'if-none-match': known.tag }),
        },
        signal: AbortSignal.timeout(callTimeoutMs),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    if (known && response.status === 304) return known.result as Result<E>
    if (!response.ok) {
      const error = await toCallError(response)
      const isRefused = error.code === 'NOT_SIGNED_IN' && !isSentAgain
      if (isRefused && (await isSignedIn(endpoint))) return send(endpoint, sent, true)
      if (error.code === 'SECOND_FACTOR_MISSING') onFactorMissing()
      throw error
    }
    const result = parse(endpoint, response.status, await orOffline<unknown>(response.json()))
    const tag = response.headers.get('etag')
    if (endpoint.polled && tag) polled.set(address, { tag, result })
    return result
  }

  return (endpoint, sent) => send(endpoint, sent, false)
}

const slowResponseMs = 2_000

/** Calls `check` when a response is slow or fails: the network may be down. */
export const createMonitoredFetch =
  (fetch: typeof globalThis.fetch, clock: Clock, check: () => void): typeof globalThis.fetch =>
  async (input, init) => {
    const stop = clock.after(slowResponseMs, check)
    try {
      return await fetch(input, init)
    } catch (error) {
      check()
      throw error
    } finally {
      stop()
    }
  }
