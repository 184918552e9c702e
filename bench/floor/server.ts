import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Fastify from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import { connectionId, sessionToken, userId } from '../load/people.ts'
import { openStore } from './store.ts'
import type { Kind } from './types.ts'

/**
 * The floor: the least code on Node that does the durable work of our server for one message: look up the session,
 * store a row on disk, respond, push to the recipient's socket. It validates no input, limit or membership. Arguments:
 * kind of store, data folder, number of bench users to know from the start. Prints its port.
 */
const [kind, folder, people = '0'] = process.argv.slice(2) as [Kind, string, string?]
const { add, newest } = await openStore(kind, join(folder, 'floor.db'))
const token = () => randomBytes(16).toString('hex')

interface User {
  id: string
  connectionCode: string
}
const sessions = new Map<string, User>()
const codes = new Map<string, User>()
const connections = new Map<string, [string, string]>()
const sockets = new Map<string, WebSocket>()
for (let index = 0; index < Number(people); index++) {
  sessions.set(sessionToken(index), { id: userId(index), connectionCode: '' })
  if (index % 2 === 1) connections.set(connectionId(index >> 1), [userId(index - 1), userId(index)])
}

const userOf = (cookie: string | undefined) => {
  const user = sessions.get(cookie?.slice(4) ?? '')
  if (!user) throw new Error('not signed in')
  return user
}

const app = Fastify({ logger: false })
app.post('/api/register', async (_request, reply) => {
  const user = { id: token(), connectionCode: token() }
  const session = token()
  sessions.set(session, user)
  codes.set(user.connectionCode, user)
  return reply.code(201).header('set-cookie', `sid=${session}`).send(user)
})
app.post<{ Body: { connectionCode: string } }>('/api/connections', async (request, reply) => {
  const other = codes.get(request.body.connectionCode)
  if (!other) throw new Error('no such code')
  const id = token()
  connections.set(id, [userOf(request.headers.cookie).id, other.id])
  return reply.code(201).send({ id })
})
const body = {
  type: 'object',
  required: ['connectionId', 'content'],
  properties: { connectionId: { type: 'string' }, content: { type: 'string' } },
}
const result = { type: 'object', properties: { id: { type: 'number' }, createdAt: { type: 'number' } } }
app.post<{ Body: { connectionId: string; content: string } }>(
  '/api/messages',
  { schema: { body, response: { 201: result } } },
  async (request, reply) => {
    const user = userOf(request.headers.cookie)
    const { connectionId, content } = request.body
    const participants = connections.get(connectionId)
    if (!participants) throw new Error('no such connection')
    const message = { connectionId, senderId: user.id, content, createdAt: Date.now() }
    const id = await add(message)
    sockets
      .get(participants[0] === user.id ? participants[1] : participants[0])
      ?.send(JSON.stringify({ type: 'new_message', message: { id, ...message } }))
    return reply.code(201).send({ id, createdAt: message.createdAt })
  },
)
app.get<{ Params: { id: string }; Querystring: { limit: string } }>(
  '/api/connections/:id/messages',
  (request, reply) => {
    userOf(request.headers.cookie)
    Promise.resolve(newest(request.params.id, Number(request.query.limit))).then(
      (rows) => reply.send(rows),
      (error: unknown) => reply.send(error),
    )
  },
)

const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false })
app.server.on('upgrade', (request, socket, head) => {
  const user = userOf(request.headers.cookie)
  wss.handleUpgrade(request, socket, head, (ws) => {
    sockets.set(user.id, ws)
    ws.once('close', () => void (sockets.get(user.id) === ws && sockets.delete(user.id)))
    ws.once('message', () => ws.send('{"type":"authenticated"}'))
  })
})
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
console.log(JSON.stringify({ port: (app.server.address() as AddressInfo).port }))
