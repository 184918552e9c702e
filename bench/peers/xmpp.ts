import { randomBytes } from 'node:crypto'
import net from 'node:net'
import type { Client } from '../load/client.ts'
import { partnerOf } from '../load/people.ts'
import { scram } from './scram.ts'
import { attributeOf, createStanzas, insideOf } from './stanzas.ts'

export const domain = 'localhost'
export const nameOf = (index: number): string => `u${index}`

const sasl = 'urn:ietf:params:xml:ns:xmpp-sasl'
const opening =
  `<?xml version='1.0'?><stream:stream to='${domain}' version='1.0' xmlns='jabber:client' ` +
  `xmlns:stream='http://etherx.jabber.org/streams'>`
/** Length of a message. The texts are random letters from a pool of 64, so that no store gains by compression. */
const size = 1200
const pads = Array.from({ length: 64 }, () =>
  randomBytes(size)
    .toString('base64url')
    .slice(0, size - 11),
)
const contentOf = (number: number) => `${String(number).padStart(10, '0')}.${pads[number % pads.length]}`
const numberOf = (content: string) => Number(content.slice(0, 10))

type Test = (stanza: string) => boolean
const startsWithTag =
  (name: string): Test =>
  (stanza) =>
    stanza.startsWith(`<${name}`)
const refusal = /^<(stream:error|failure)|^<\/stream/

/** A connection that reads stanzas in order: with `next` during sign-in, with `listen` afterwards. */
function openStream(port: number, address: string | undefined, onClose: () => void) {
  const socket = net.connect({ host: '127.0.0.1', port, localAddress: address, noDelay: true })
  const unread: string[] = []
  let waiting: { test: Test; resolve: (stanza: string) => void; reject: (error: Error) => void } | undefined
  let onStanza: ((stanza: string) => void) | undefined

  function take(stanza: string): void {
    if (onStanza !== undefined) return onStanza(stanza)
    if (waiting?.test(stanza) === true) waiting.resolve(stanza)
    else if (refusal.test(stanza)) waiting?.reject(new Error(stanza.slice(0, 300)))
    else return void unread.push(stanza)
    waiting = undefined
  }
  const stanzas = createStanzas(take)
  socket.setEncoding('utf8')
  socket.on('data', (part: string) => stanzas.read(part))
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => {
    waiting?.reject(new Error('connection closed'))
    onClose()
  })
  const stream = {
    socket,
    say: (text: string) => void socket.write(text),
    next(test: Test): Promise<string> {
      const found = unread.findIndex(test)
      if (found >= 0) return Promise.resolve(unread.splice(found, 1)[0] as string)
      return new Promise((resolve, reject) => (waiting = { test, resolve, reject }))
    },
    /** Resolves with the features that the server offers. */
    begin(): Promise<string> {
      stanzas.restart()
      stream.say(opening)
      return stream.next(startsWithTag('stream:features'))
    },
    listen(listener: (stanza: string) => void): void {
      onStanza = listener
    },
  }
  return stream
}

async function signIn(stream: ReturnType<typeof openStream>, index: number): Promise<void> {
  const { say, next, begin } = stream
  await begin()
  const { first, answer } = scram(nameOf(index))
  say(`<auth xmlns='${sasl}' mechanism='SCRAM-SHA-1'>${first}</auth>`)
  const challenge = insideOf(await next(startsWithTag('challenge')), 'challenge') ?? ''
  say(`<response xmlns='${sasl}'>${answer(challenge)}</response>`)
  await next(startsWithTag('success'))
  await begin()
  say(`<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>`)
  const bound = await next((stanza) => stanza.startsWith('<iq') && attributeOf(stanza, 'id') === 'bind')
  if (attributeOf(bound, 'type') !== 'result') throw new Error(bound.slice(0, 300))
  say('<presence/>')
  // The server returns the user's own presence: from now on, messages arrive.
  await next(startsWithTag('presence'))
}

const archiveQuery = (partner: string, id: string, count: number) =>
  `<iq type='set' id='${id}'><query xmlns='urn:xmpp:mam:2'><x xmlns='jabber:x:data' type='submit'>` +
  `<field var='FORM_TYPE' type='hidden'><value>urn:xmpp:mam:2</value></field>` +
  `<field var='with'><value>${partner}</value></field></x>` +
  `<set xmlns='http://jabber.org/protocol/rsm'><max>${count}</max><before/></set></query></iq>`

/** User `index` of an XMPP server, signed in by SCRAM over a plain connection, with the user's archive (XEP-0313). */
export async function connectXmpp(port: number, index: number, address?: string): Promise<Client> {
  const partner = `${nameOf(partnerOf(index))}@${domain}`
  let asked: { id: string; numbers: number[]; resolve: (numbers: number[]) => void } | undefined
  let last = 0
  const stream = openStream(port, address, () => client.onClose())
  const { socket, say } = stream
  const client: Client = {
    onMessage: () => {},
    onClose: () => {},
    async send(number) {
      say(`<message type='chat' to='${partner}' id='${++last}'><body>${contentOf(number)}</body></message>`)
    },
    newestMessages: (count) =>
      new Promise((resolve) => {
        asked = { id: `past${++last}`, numbers: [], resolve }
        say(archiveQuery(partner, asked.id, count))
      }),
    close() {
      client.onClose = () => {}
      socket.end('</stream:stream>')
    },
    drop() {
      client.onClose = () => {}
      socket.destroy()
    },
  }
  try {
    await signIn(stream, index)
  } catch (error) {
    client.drop()
    throw error
  }
  stream.listen((stanza) => {
    if (stanza.startsWith('<iq') && asked !== undefined && attributeOf(stanza, 'id') === asked.id) {
      const { numbers, resolve } = asked
      asked = undefined
      return resolve(numbers)
    }
    if (stanza.startsWith('<iq') && attributeOf(stanza, 'type') === 'get')
      return say(
        `<iq type='result' id='${attributeOf(stanza, 'id') ?? ''}' to='${attributeOf(stanza, 'from') ?? domain}'/>`,
      )
    const content = stanza.startsWith('<message') ? insideOf(stanza, 'body') : undefined
    if (content === undefined) return
    if (attributeOf(stanza, 'type') === 'error') return socket.destroy()
    if (asked !== undefined && stanza.includes('<result ')) asked.numbers.push(numberOf(content))
    else client.onMessage(numberOf(content))
  })
  return client
}
