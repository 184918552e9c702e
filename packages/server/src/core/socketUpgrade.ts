import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { socketPath } from '@privity/contract/events'
import type { Bus } from './bus.ts'
import type { Config } from './config.ts'
import { whyForeign } from './loopback.ts'
import { isOwnOrigin } from './origin.ts'
import type { Session, Sessions } from './sessions.ts'

const mostFrame = 4 * 1024

export interface Upgrades {
  config: Config
  bus: Bus
  sessions: Sessions
  isFactorMissing(userId: string): Promise<boolean>
  log: FastifyBaseLogger
  isClosing(): boolean
  accept(socket: WebSocket, stream: Duplex, session: Session): void
}

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Lets our own pages with a live session open a socket; anyone else gets a plain HTTP refusal. */
export function acceptUpgrades(
  httpServer: Server,
  { config, bus, sessions, isFactorMissing, log, isClosing, accept }: Upgrades,
): void {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: mostFrame })
  let endings = 0
  let policies = 0
  bus.subscribe('sessionEnded', () => void (endings += 1))
  bus.subscribe('policyChanged', () => void (policies += 1))
  bus.subscribe('missed', () => {
    endings += 1
    policies += 1
  })

  /** By the policy that holds when it is answered: one that came meanwhile found no socket to end. */
  async function lacksFactor(userId: string): Promise<boolean> {
    for (;;) {
      const before = policies
      const isMissing = await isFactorMissing(userId)
      if (before === policies) return isMissing
    }
  }

  /** The session, or the status of a refusal. One that ended while it was looked up would otherwise keep its socket. */
  async function admit(cookies: string | undefined): Promise<Session | '401 Unauthorized' | '403 Forbidden'> {
    for (;;) {
      const before = endings
      const session = await sessions.find(cookies, true)
      if (session === undefined) return '401 Unauthorized'
      if (await lacksFactor(session.userId)) return '403 Forbidden'
      if (before === endings) return session
    }
  }

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const address = request.url ?? '/'
    if (!URL.canParse(address, 'http://host')) return refuse(stream, '400 Bad Request')
    if (new URL(address, 'http://host').pathname !== socketPath) return refuse(stream, '404 Not Found')
    if (whyForeign(request.headers, config) !== undefined || !isOwnOrigin(request.headers, config))
      return refuse(stream, '403 Forbidden')
    const admitted = await admit(request.headers.cookie)
    if (typeof admitted === 'string') return refuse(stream, admitted)
    if (isClosing()) return refuse(stream, '503 Service Unavailable')
    server.handleUpgrade(request, stream, head, (socket) => accept(socket, stream, admitted))
  }

  httpServer.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    upgrade(request, stream, head).catch((error: unknown) => {
      log.error({ err: error }, 'socket upgrade')
      refuse(stream, '500 Internal Server Error')
    })
  })
}
