import net from 'node:net'
import { sleep } from './stats.ts'

/** Resolves with a port on loopback that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port })
    const settle = (accepted: boolean) => {
      socket.destroy()
      resolve(accepted)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })

/** Resolves once a server listens on the port. */
export async function waitUntilOpen(port: number, seconds = 60): Promise<void> {
  for (let tries = 0; !(await accepts(port)); tries++) {
    if (tries === seconds * 10) throw new Error(`nothing listens on port ${port}`)
    await sleep(100)
  }
}
