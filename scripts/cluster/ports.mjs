import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to outgoing connections: a server that was stopped finds its port free again. */
const [first, last] = [15_000, 32_000]

async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}

/** As many ports of this machine that nothing listens on now. */
export async function freePorts(count) {
  const ports = new Set()
  while (ports.size < count) {
    const port = randomInt(first, last)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

/** What `start` answers for spare ports; should somebody take one of them in that moment, for others. */
export async function onFreePorts(count, start) {
  const ports = await freePorts(count)
  try {
    return await start(...ports)
  } catch (error) {
    const areFree = await Promise.all(ports.map(isFree))
    if (areFree.every(Boolean)) throw error
    return start(...(await freePorts(count)))
  }
}
