import { type AddressInfo, connect, createServer } from 'node:net'

/** A statement that changes rows, or the commit of a transaction that has changed some. Reads are no steps. */
export type Step = 'change' | 'commit'

export interface Stop {
  /** Counts from 1 on. */
  n: number
  steps: readonly Step[]
  /** Before PostgreSQL receives the nth of these steps, or once it has executed it, with the response lost. */
  side: 'before' | 'after'
}

/** A proxy in front of PostgreSQL that can stop all traffic at one step. */
export interface StatementProxy {
  port: number
  /** Counts from now on; resolves with the text of the statement once traffic is stopped. */
  stopAt(stop: Stop): Promise<string>
  /** Forgets the stop. If traffic is stopped, ends every connection first; later ones work. */
  release(): void
  close(): Promise<void>
}

/** Splits a stream of PostgreSQL's protocol into messages. The first message of a client has no type. */
function createSplitter(isTyped: boolean, take: (message: Buffer, type: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let offset = isTyped ? 1 : 0
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= offset + 4) {
      const end = offset + rest.readInt32BE(offset)
      if (rest.length < end) return
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      take(message, offset === 0 ? '' : message.toString('latin1', 0, 1))
      offset = 1
    }
  }
}

/** Calls `take` with the bytes and the text of each statement of a client; the text of other messages is undefined. */
function createStatementReader(take: (bytes: Buffer, text: string | undefined) => void): (bytes: Buffer) => void {
  const prepared = new Map<string, string>()
  let parts: Buffer[] = []
  let current = ''
  return createSplitter(false, (message, type) => {
    parts.push(message)
    const [first = '', second = ''] = message.toString('utf8', 5).split('\0')
    if (type === 'P') prepared.set(first, second)
    if (type === 'B') current = prepared.get(second) ?? ''
    if (type === 'Q') current = first
    // Parse, Bind, Describe and Execute belong to the Sync that follows them: there is one response to all of them.
    if (['P', 'B', 'D', 'E'].includes(type)) return
    const bytes = Buffer.concat(parts)
    parts = []
    take(bytes, type === 'S' || type === 'Q' ? current : undefined)
  })
}

/** Classifies the statements of one connection. `isIgnored` excludes changes that are not the subject. */
function createStepReader(isIgnored: (text: string) => boolean): (text: string) => Step | undefined {
  let hasChanged = false
  return (text) => {
    if (/^begin\b/i.test(text)) hasChanged = false
    if (/^commit\b/i.test(text)) return hasChanged ? 'commit' : undefined
    if (!/\b(?:insert|update|delete)\b/i.test(text) || isIgnored(text)) return undefined
    hasChanged = true
    return 'change'
  }
}

export async function createStatementProxy(
  target: number,
  isIgnored: (text: string) => boolean,
): Promise<StatementProxy> {
  const ends = new Set<() => void>()
  let stop: (Stop & { reached: (text: string) => void }) | undefined
  let counted = 0
  let isStopped = false

  function isNext(step: Step | undefined): boolean {
    if (stop === undefined || step === undefined || !stop.steps.includes(step)) return false
    counted += 1
    return counted === stop.n
  }

  const proxy = createServer((client) => {
    const server = connect(target, '127.0.0.1').setNoDelay()
    client.setNoDelay()
    const stepOf = createStepReader(isIgnored)
    /** Responses that PostgreSQL owes, beginning with the one to the start of the connection. */
    let owed = 1
    let executing: string | undefined
    const readClient = createStatementReader((bytes, text) => {
      if (isStopped) return
      isStopped = text !== undefined && isNext(stepOf(text))
      if (isStopped && stop?.side === 'before') return stop.reached(text ?? '')
      if (isStopped) executing = text
      if (text !== undefined) owed += 1
      server.write(bytes)
    })
    const readServer = createSplitter(true, (message, type) => {
      // ReadyForQuery ends each response.
      if (type === 'Z') owed -= 1
      if (!isStopped) client.write(message)
      else if (executing !== undefined && owed === 0) stop?.reached(executing)
    })
    const end = () => {
      ends.delete(end)
      client.destroy()
      server.destroy()
    }
    ends.add(end)
    client.on('data', readClient)
    server.on('data', readServer)
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const endAll = () => [...ends].forEach((end) => end())
  return {
    port: (proxy.address() as AddressInfo).port,
    stopAt(next) {
      counted = 0
      return new Promise((reached) => void (stop = { ...next, reached }))
    },
    release() {
      if (isStopped) endAll()
      isStopped = false
      stop = undefined
    },
    close() {
      endAll()
      return new Promise((resolve) => void proxy.close(() => resolve()))
    },
  }
}
