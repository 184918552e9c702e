import WebSocket from 'ws'
import type { Client } from './client.ts'
import { httpClient } from './http.ts'
import { numberOf, sealedContents, type Signing } from './sealed.ts'

export interface Credentials {
  /** Formatted as a header value. */
  cookie: string
  userId: string
  connectionId: string
  envelopeId: string
  signing: Signing
}

/** Opens and authenticates the socket of a signed-in user. Works with the floors, too, which use our protocol. */
export async function connectOurs(port: number, credentials: Credentials, address?: string): Promise<Client> {
  const { cookie, userId, connectionId, envelopeId, signing } = credentials
  const http = httpClient(port, 4, address)
  const headers = `cookie: ${cookie}\r\n`
  const content = sealedContents(envelopeId, signing)
  const options = { perMessageDeflate: false, headers: { cookie }, localAddress: address }
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, options)
  let socketId: string | undefined
  async function get(path: string): Promise<string> {
    const answer = await http.request('GET', path, { headers })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`)
    return answer.body
  }
  const client: Client = {
    onMessage: () => {},
    onClose: () => {},
    async send(number) {
      const body = { connectionId, content: content(number), messageType: 'text', socketId }
      const answer = await http.request('POST', '/api/messages', { headers, body })
      if (answer.status !== 201) throw new Error(`send: ${answer.status} ${answer.body}`)
    },
    async newestMessages(count) {
      const body = await get(`/api/connections/${connectionId}/messages?limit=${count}`)
      return (JSON.parse(body) as { content: string }[]).map((message) => numberOf(message.content))
    },
    close() {
      client.onClose = () => {}
      socket.close()
      http.close()
    },
    drop() {
      client.onClose = () => {}
      socket.terminate()
      http.close()
    },
  }
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => socket.send(JSON.stringify({ type: 'authenticate', userId })))
    socket.once('message', (data: Buffer) => {
      socketId = (JSON.parse(data.toString()) as { socketId?: string }).socketId
      resolve()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('socket closed')))
  })
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString('utf8')) as { type: string; message?: { content: string; senderId: string } }
    if (frame.type === 'new_message' && frame.message && frame.message.senderId !== userId)
      client.onMessage(numberOf(frame.message.content))
  })
  socket.on('error', () => {})
  socket.on('close', () => client.onClose())
  return client
}
