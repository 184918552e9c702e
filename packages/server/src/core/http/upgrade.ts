import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { socketPath } from '@privity/contract/events'
import { AppError } from '@privity/contract/errors'
import type { Core } from '../core.ts'
import { callerAddress } from './callerAddress.ts'
import { toRefusal } from './errorHandler.ts'
import { foreignHostError, isOwnOrigin } from './originCheck.ts'
import { networkOf } from '../rateLimits/rateLimits.ts'
import { type CountRefusal, hasOneHost, isAnswering, sendRawError } from './server.ts'
import { newRequestId } from './accessLog.ts'
import type { Session } from '../sessions/sessions.ts'

const maxFrameBytes = 4 * 1024

/** The caller of an upgrade; the account is set once the session is found. */
interface Known {
  network: string
  account: string | undefined
}

type Dependencies = Pick<Core, 'config' | 'bus' | 'sessions' | 'rates' | 'isFactorMissing' | 'log' | 'deniedCalls'> & {
  sockets: Pick<Core['sockets'], 'accept' | 'isRefusing'>
}

/** Opens sockets for our own pages with a live session; any other request is refused in the usual form. */
export function acceptUpgrades(
  httpServer: Server,
  { config, bus, sessions, rates, isFactorMissing, log, sockets, deniedCalls }: Dependencies,
  count?: CountRefusal,
): void {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: maxFrameBytes })
  const sendError = (stream: Duplex, error: AppError) => sendRawError(stream, error, config, count)
  server.on('wsClientError', (_error, stream) => sendError(stream, new AppError('INVALID_INPUT')))
  let endedSessions = 0
  let policyChanges = 0
  bus.subscribe('sessionEnded', () => void (endedSessions += 1))
  bus.subscribe('policyChanged', () => void (policyChanges += 1))
  bus.subscribe('eventsLost', () => {
    endedSessions += 1
    policyChanges += 1
  })

  /** Repeats the check if the policy changed meanwhile: that change found no socket to end. */
  async function isFactorMissingNow(userId: string): Promise<boolean> {
    for (;;) {
      const before = policyChanges
      const isMissing = await isFactorMissing(userId)
      if (before === policyChanges) return isMissing
    }
  }

  /**
   * Counts the upgrade as a call, by account or network. Repeats the lookup if a session ended meanwhile: it might be
   * this one, and would keep its socket.
   */
  async function authorize(cookies: string | undefined, known: Known): Promise<Session> {
    for (let isCounted = false; ; isCounted = true) {
      const before = endedSessions
      const session = await sessions.find(cookies, true)
      const isLive = session !== undefined && !session.isFormer
      if (!isCounted) rates.take('other', isLive ? session.userId : known.network)
      if (!isLive) throw new AppError('NOT_SIGNED_IN')
      known.account = session.userId
      if (await isFactorMissingNow(session.userId)) throw new AppError('SECOND_FACTOR_MISSING')
      if (before === endedSessions) return session
    }
  }

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer, known: Known): Promise<void> {
    const address = request.url ?? '/'
    if (!URL.canParse(address, 'http://host') || !hasOneHost(request)) throw new AppError('INVALID_INPUT')
    if (new URL(address, 'http://host').pathname !== socketPath) throw new AppError('NOT_FOUND')
    const foreign = foreignHostError(request.headers, config)
    if (foreign !== undefined) throw foreign
    if (!isOwnOrigin(request.headers, config)) throw new AppError('ORIGIN_REFUSED')
    const session = await authorize(request.headers.cookie, known)
    if (sockets.isRefusing()) throw new AppError('UNAVAILABLE')
    // The answer would be read as frames of the socket.
    if (isAnswering(stream)) throw new AppError('INVALID_INPUT')
    server.handleUpgrade(request, stream, head, (socket) => sockets.accept(socket, stream, session))
  }

  httpServer.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const known: Known = { network: networkOf(callerAddress(request, config)), account: undefined }
    upgrade(request, stream, head, known).catch((error: unknown) => {
      const refusal = toRefusal(error)
      // A request for an unknown address carries no information.
      if (refusal.code !== 'NOT_FOUND')
        deniedCalls.record(refusal, {
          requestId: newRequestId(),
          route: `GET ${socketPath}`,
          ...known,
        })
      if (refusal.status >= 500 && !sockets.isRefusing()) log.error({ err: refusal.cause ?? refusal }, 'socket upgrade')
      sendError(stream, refusal)
    })
  })
}
