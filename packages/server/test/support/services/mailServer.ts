import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { Core } from '../../../src/core/core.ts'

export interface Delivered {
  from: string
  to: string[]
  /** Headers and text, as received. */
  source: string
  user: string | undefined
}

export interface MailServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly delivered: Delivered[]
  /** Refuses every email with this status until called with undefined. */
  refuseWith(status: number | undefined): void
  /** Holds the response to every email; the returned function sends them all. */
  hold(): () => void
  /** Number of emails that wait for a response. */
  held(): number
  /** Resolves once this many emails have been accepted or refused in total. */
  seen(count: number): Promise<void>
  close(): Promise<void>
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * All emails to other addresses, after every email queued before this call was delivered. Two are in flight at a time,
 * in order, so the two sent here arrive last.
 */
export async function lettersOf(
  { core }: { core: Pick<Core, 'mail'> },
  { delivered }: MailServer,
): Promise<Delivered[]> {
  const last = { to: 'last@example.com', subject: 'last', text: 'last' }
  await Promise.all([core.mail.send(last), core.mail.send(last)])
  return delivered.filter(({ to }) => to[0] !== last.to)
}

/** A real SMTP server on this machine. With `password`, only `relay` may send. */
export async function createMailServer({
  port = 0,
  password,
}: { port?: number; password?: string } = {}): Promise<MailServer> {
  const delivered: Delivered[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  let attempts = 0
  let refusal: number | undefined
  let held: (() => void)[] | undefined
  const count = () => {
    attempts += 1
    for (const each of waiting) if (attempts >= each.count) each.resolve()
  }
  const server = new SMTPServer({
    authOptional: password === undefined,
    disabledCommands: password === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    onAuth(auth, _session, done) {
      if (auth.username === 'relay' && auth.password === password) return done(null, { user: 'relay' })
      done(new Error('no'))
      count()
    },
    onData(stream, session, done) {
      let source = ''
      stream.on('data', (part: Buffer) => void (source += part.toString('utf8')))
      const answer = () => {
        if (refusal !== undefined) {
          done(Object.assign(new Error('refused'), { responseCode: refusal }))
          return count()
        }
        const { mailFrom, rcptTo } = session.envelope
        delivered.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source,
          user: typeof session.user === 'string' ? session.user : undefined,
        })
        done()
        count()
      }
      stream.on('end', () => (held === undefined ? answer() : void held.push(answer)))
    },
  })
  // A client that disconnects midway is no error of the server.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const listening = (server.server.address() as AddressInfo).port
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return {
    url: `smtp://127.0.0.1:${listening}`,
    port: listening,
    delivered,
    hold() {
      held = []
      return () => {
        const waited = held ?? []
        held = undefined
        for (const answer of waited) answer()
      }
    },
    held: () => held?.length ?? 0,
    refuseWith: (status) => void (refusal = status),
    seen: (wanted) =>
      new Promise((resolve) => (attempts >= wanted ? resolve() : waiting.push({ count: wanted, resolve }))),
    close,
    [Symbol.asyncDispose]: close,
  }
}
