import { WebSocket } from 'ws'
import { type ClientFrame, type ServerFrame, serverFrame, socketPath } from '@privity/contract/events'
import type { Caller } from './caller.ts'
import { untilIdle } from './pendingQueries.ts'

type Frame<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>

export interface TestSocket {
  /** Everything received so far and not taken by `next`. */
  readonly frames: ServerFrame[]
  /** Takes the first frame of this type, waiting for it if necessary. */
  next<T extends ServerFrame['type']>(type: T): Promise<Frame<T>>
  send(frame: ClientFrame): void
  /**
   * Resolves once the server has responded to a ping (every frame sent before has arrived) or the socket has closed.
   */
  settled(): Promise<void>
  /** The close code. */
  readonly closed: Promise<number>
  /** The reason in the close frame; empty without one. */
  readonly closedFor: Promise<string>
  readonly raw: WebSocket
  close(): void
}

/** Opens a socket without authenticating it. Rejects with the status of a refusal. */
export async function openSocket(
  origin: string,
  caller: Caller,
  headers: Record<string, string> = {},
): Promise<TestSocket> {
  const cookie = [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const raw = new WebSocket(origin.replace(/^http/, 'ws') + socketPath, {
    headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
  })
  const frames: ServerFrame[] = []
  let waiting: (() => void)[] = []
  raw.on('message', (data) => {
    frames.push(serverFrame.parse(JSON.parse((data as Buffer).toString('utf8'))))
    for (const look of waiting.splice(0)) look()
  })
  const closed = new Promise<number>((resolve) => void raw.on('close', (code) => resolve(code)))
  const closedFor = new Promise<string>((resolve) => void raw.on('close', (_, reason) => resolve(reason.toString())))
  void closed.then(() => waiting.splice(0).forEach((look) => look()))
  await new Promise<void>((resolve, reject) => {
    raw.on('open', () => resolve())
    raw.on('unexpected-response', (_request, response) => {
      raw.terminate()
      reject(new Error(`refused with ${response.statusCode}`))
    })
    raw.on('error', reject)
  })

  async function next<T extends ServerFrame['type']>(type: T): Promise<Frame<T>> {
    for (;;) {
      const at = frames.findIndex((frame) => frame.type === type)
      if (at >= 0) return frames.splice(at, 1)[0] as Frame<T>
      if (raw.readyState >= WebSocket.CLOSING) throw new Error(`the socket closed before ${type} came`)
      await new Promise<void>((resolve) => void waiting.push(resolve))
    }
  }

  const send = (frame: ClientFrame) => raw.send(JSON.stringify(frame))
  return {
    frames,
    next,
    send,
    async settled() {
      if (raw.readyState !== WebSocket.OPEN) return
      await untilIdle(origin)
      send({ type: 'ping' })
      await next('pong').catch(() => {})
    },
    closed,
    closedFor,
    raw,
    close: () => raw.close(),
  }
}

/** Opens an authenticated socket, which receives notices. */
export async function connectSocket(origin: string, caller: Caller, userId: string): Promise<TestSocket> {
  const socket = await openSocket(origin, caller)
  socket.send({ type: 'authenticate', userId })
  await socket.next('authenticated')
  return socket
}
