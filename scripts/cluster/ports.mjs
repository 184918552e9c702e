import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range that systems use for outgoing connections, so a stopped server finds its port free again. */
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

/** Returns `count` ports of this machine on which nothing listens now. */
export async function freePorts(count) {
  const ports = new Set()
  while (ports.size < count) {
    const port = randomInt(first, last)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

/**
 * Calls `start` with free ports; if another process takes one of them in the meantime, calls it once more with new
 * ones.
 */
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
