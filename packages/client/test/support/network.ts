import { createNodeConnection, type OpenSocket } from '../../src/index.ts'

/** The network between one browser and the server. */
export interface Network {
  fetch: typeof fetch
  openSocket: OpenSocket
  /** While true nothing gets through, and open sockets are cut. */
  offline: boolean
  /** While true the same for sockets only. */
  deaf: boolean
  /** While true nothing that the server sends over a socket arrives. */
  swallows: boolean
  /** While true the end of a socket is not heard; false lets the client hear of those that have ended since. */
  holdsEnds: boolean
  /** Resolves when a frame of this type has arrived. */
  nextFrame(type: string): Promise<void>
  /** Arrives as if the server had sent it. */
  inject(data: string): void
  /** Answers that are lost on the way back although the server has done its work, by method and path. */
  loses: (request: string) => boolean
  /** Every request so far: method, path, body text (of JSON and of raw uploads, as latin1). */
  readonly requests: { request: string; body: string }[]
  /** Changes an answer's JSON before the client sees it. */
  tampers: ((request: string, answer: unknown) => unknown) | undefined
  /** Answers in the server's place, where it gives something. */
  answers: ((request: string) => Response | undefined) | undefined
  /** Sees every answer before the client does; waited for. */
  watches: ((request: string, answer: Response) => unknown) | undefined
  /** Replaces the raw bytes of a download. */
  tampersBytes: ((bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>) | undefined
  /** The cookies and the address, shared by the tabs of one browser. */
  readonly connection: ReturnType<typeof createNodeConnection>
  readonly address: string
}

let addresses = 0

/** `origin` is what the client believes, `current` where the server listens now. */
export function createNetwork(origin: string, current: () => string, like?: Network, isBehindProxy = true): Network {
  addresses += 1
  const connection = like?.connection ?? createNodeConnection()
  const address = like?.address ?? `10.1.${addresses >> 8}.${addresses & 255}`
  const sockets = new Set<WebSocket>()
  let offline = false
  let deaf = false
  let holdsEnds = false
  const held: (() => void)[] = []
  const cut = () => {
    for (const socket of sockets) socket.close()
  }

  const network: Network = {
    connection,
    address,
    loses: () => false,
    tampers: undefined,
    tampersBytes: undefined,
    answers: undefined,
    watches: undefined,
    requests: [],
    get offline() {
      return offline
    },
    set offline(next) {
      offline = next
      if (next) cut()
    },
    get deaf() {
      return deaf
    },
    set deaf(next) {
      deaf = next
      if (next) cut()
    },
    get holdsEnds() {
      return holdsEnds
    },
    set holdsEnds(next) {
      holdsEnds = next
      if (!next) for (const release of held.splice(0)) release()
    },
    async fetch(input, init = {}) {
      if (typeof input !== 'string') throw new TypeError('The client fetches addresses.')
      const path = input.slice(origin.length)
      // Tests mean the load of the keys by whichever browser.
      const request = `${init.method ?? 'GET'} ${path.replace(/^(\/api\/keys)\?browser=.*/, '$1')}`
      if (offline) throw new TypeError('fetch failed')
      network.requests.push({ request, body: await bodyText(init.body) })
      const headers = new Headers(init.headers)
      if (isBehindProxy) headers.set('x-forwarded-for', address)
      const answer = network.answers?.(request) ?? (await connection.fetch(current() + path, { ...init, headers }))
      await network.watches?.(request, answer)
      if (network.loses(request)) {
        await answer.arrayBuffer()
        throw new TypeError('fetch failed')
      }
      return changed(request, answer)
    },
    swallows: false,
    nextFrame: (type) =>
      new Promise((resolve) => {
        const hear = ({ data }: MessageEvent) => {
          if ((JSON.parse(String(data)) as { type: string }).type !== type) return
          for (const socket of sockets) socket.removeEventListener('message', hear)
          resolve()
        }
        for (const socket of sockets) socket.addEventListener('message', hear)
      }),
    inject(data) {
      for (const socket of sockets) socket.dispatchEvent(new MessageEvent('message', { data }))
    },
    openSocket(url) {
      const socket = connection.openSocket(
        offline || deaf ? 'ws://127.0.0.1:1' : url.replace(/^ws:\/\/[^/]+/, wsOf(current())),
      )
      sockets.add(socket)
      // The first to listen: it can keep a frame from everyone after it.
      socket.addEventListener('message', (event) => network.swallows && event.stopImmediatePropagation())
      socket.addEventListener('close', (event) => {
        sockets.delete(socket)
        if (!holdsEnds) return
        event.stopImmediatePropagation()
        const { code, reason } = event
        held.push(() => socket.dispatchEvent(new CloseEvent('close', { code, reason })))
      })
      return socket
    },
  }

  async function changed(request: string, answer: Response): Promise<Response> {
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false
    const { status, headers } = answer
    if (isJson && network.tampers) {
      return Response.json(network.tampers(request, await answer.json()), { status, headers: withoutLength(headers) })
    }
    if (!isJson && network.tampersBytes && answer.ok) {
      const bytes = network.tampersBytes(new Uint8Array(await answer.arrayBuffer()))
      return new Response(bytes, { status, headers: withoutLength(headers) })
    }
    return answer
  }

  return network
}

const wsOf = (url: string) => url.replace(/^http/, 'ws')

function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers)
  kept.delete('content-length')
  return kept
}

async function bodyText(body: RequestInit['body']): Promise<string> {
  if (body instanceof Blob) return Buffer.from(await body.arrayBuffer()).toString('latin1')
  return typeof body === 'string' ? body : ''
}
