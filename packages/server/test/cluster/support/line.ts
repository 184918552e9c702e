import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection to a server on this machine that can be cut and restored. */
export interface Line {
  port: number
  /** Closes every connection, and accepts none until `heal`. */
  cut(): void
  /** Drops all bytes without closing, like a cut cable; dropped bytes are lost. */
  silence(): void
  heal(): void
  close(): Promise<void>
}

/** `target` is called for each connection: undefined refuses it. */
export async function createLine(target: () => number | undefined): Promise<Line> {
  const sockets = new Set<Socket>()
  let state: 'whole' | 'cut' | 'silent' = 'whole'
  const listener = createServer((client) => {
    const port = target()
    if (state === 'cut' || port === undefined) return client.destroy()
    const server = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => void (state === 'silent' || to.write(bytes)))
      from.on('error', () => from.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
  const drop = () => sockets.forEach((socket) => socket.destroy())
  return {
    port: (listener.address() as AddressInfo).port,
    cut() {
      state = 'cut'
      drop()
    },
    silence: () => void (state = 'silent'),
    heal() {
      // A connection that has lost bytes is unusable.
      if (state === 'silent') drop()
      state = 'whole'
    },
    close() {
      drop()
      return new Promise((resolve) => void listener.close(() => resolve()))
    },
  }
}
