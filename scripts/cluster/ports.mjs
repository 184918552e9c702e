import { once } from 'node:events'
import { createServer } from 'node:net'

/** As many ports of this machine that nothing listens on now. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
