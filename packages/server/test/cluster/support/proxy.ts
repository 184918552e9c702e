import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  port: number
  /** Closes every connection at once, on both sides. */
  cut(): void
  /** Closes the next connection that sends `said`, after the server has responded, without passing the response on. */
  swallowAnswerTo(said: string): void
  /** Closes the next `times` connections that send `said`, without passing it on. */
  swallow(said: string, times?: number): void
  close(): Promise<void>
}

/** A proxy between a client and a server on this machine that can interrupt them. */
export async function createProxy(target: number): Promise<Proxy> {
  const pairs = new Set<[Socket, Socket]>()
  let swallowed: string | undefined
  let unheard = { said: '', times: 0 }
  const proxy = createServer((client) => {
    const server = connect(target, '127.0.0.1')
    const pair: [Socket, Socket] = [client, server]
    pairs.add(pair)
    let swallowing = false
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    client.on('data', (bytes) => {
      if (swallowed !== undefined && bytes.includes(swallowed)) {
        swallowing = true
        swallowed = undefined
      }
      if (unheard.times > 0 && bytes.includes(unheard.said)) {
        unheard.times -= 1
        end()
      } else server.write(bytes)
    })
    server.on('data', (bytes) => (swallowing ? end() : client.write(bytes)))
    for (const socket of pair) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy()
  }
  return {
    port: (proxy.address() as AddressInfo).port,
    cut,
    swallowAnswerTo: (said) => void (swallowed = said),
    swallow: (said, times = 1) => void (unheard = { said, times }),
    close() {
      cut()
      return new Promise((resolve) => void proxy.close(() => resolve()))
    },
  }
}
