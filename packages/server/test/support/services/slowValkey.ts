import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface SlowValkey {
  url: string
  /** Holds back everything published from now on that begins with these bytes, until `release`. */
  hold(begin: Buffer): void
  /** Passes the first `count` held messages on, in order. */
  release(count: number): void
  waiting(): number
  /** Number of published messages. */
  published(): number
  close(): Promise<void>
}

/** The complete commands at the beginning of these bytes, and their length in bytes. */
function read(bytes: Buffer): { commands: Buffer[][]; taken: number } {
  const commands: Buffer[][] = []
  let taken = 0
  for (;;) {
    let at = taken
    const line = (): number | undefined => {
      const end = bytes.indexOf('\r\n', at)
      if (end < 0) return undefined
      const value = Number(bytes.toString('latin1', at + 1, end))
      at = end + 2
      return value
    }
    const words: Buffer[] = []
    const count = line()
    while (count !== undefined && words.length < count) {
      const length = line()
      if (length === undefined || at + length + 2 > bytes.length) return { commands, taken }
      words.push(bytes.subarray(at, at + length))
      at += length + 2
    }
    if (count === undefined) return { commands, taken }
    commands.push(words)
    taken = at
  }
}

const bulk = (bytes: Buffer) => Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')])

/** Passes notices on like Valkey, but can hold some back. */
export async function createSlowValkey(): Promise<SlowValkey> {
  const all = new Set<Socket>()
  const subscribed = new Map<Socket, Buffer>()
  const held: Buffer[] = []
  let heldBegin: Buffer | undefined
  let published = 0

  function pass(bytes: Buffer): void {
    for (const [socket, channel] of subscribed)
      socket.write(Buffer.concat([Buffer.from('*3\r\n'), bulk(Buffer.from('message')), bulk(channel), bulk(bytes)]))
  }

  function answer(socket: Socket, [name, channel, bytes]: Buffer[]): void {
    const command = name?.toString().toLowerCase()
    if (command === 'info') socket.write('$11\r\nloading:0\r\n\r\n')
    else if (command === 'subscribe' && channel !== undefined) {
      subscribed.set(socket, Buffer.from(channel))
      socket.write(Buffer.concat([Buffer.from('*3\r\n'), bulk(Buffer.from('subscribe')), bulk(channel)]))
      socket.write(':1\r\n')
    } else if (command === 'publish' && bytes !== undefined) {
      published += 1
      if (heldBegin !== undefined && bytes.subarray(0, heldBegin.length).equals(heldBegin))
        held.push(Buffer.from(bytes))
      else pass(bytes)
      socket.write(':1\r\n')
    } else socket.write(`-ERR unknown command '${name?.toString() ?? ''}'\r\n`)
  }

  const server = createServer((socket) => {
    let rest = Buffer.alloc(0)
    all.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      all.delete(socket)
      subscribed.delete(socket)
    })
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      const { commands, taken } = read(rest)
      rest = rest.subarray(taken)
      for (const words of commands) answer(socket, words)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (begin) => void (heldBegin = begin),
    release: (count) => held.splice(0, count).forEach(pass),
    waiting: () => held.length,
    published: () => published,
    async close() {
      for (const socket of all) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
