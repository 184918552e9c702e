import { type AddressInfo, createServer, type Socket } from 'node:net'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { openValkey } from '../../../src/core/cluster/valkey.ts'

/** A Valkey that accepts connections and ignores the first `silent` subscriptions. */
async function createServerOfNotices(silent: number) {
  const subscribed: Socket[] = []
  const all = new Set<Socket>()
  let asked = 0
  const server = createServer((socket) => {
    all.add(socket)
    socket.on('error', () => {}).on('close', () => all.delete(socket))
    socket.on('data', (bytes) => {
      const said = bytes.toString().toLowerCase()
      if (said.includes('hello')) socket.write("-ERR unknown command 'HELLO'\r\n")
      if (said.includes('info')) socket.write('$11\r\nloading:0\r\n\r\n')
      if (!said.includes('subscribe')) return
      asked += 1
      if (asked <= silent) return
      subscribed.push(socket)
      socket.write('*3\r\n$9\r\nsubscribe\r\n$7\r\nnotices\r\n:1\r\n')
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    say: (text: string) =>
      subscribed.at(-1)?.write(`*3\r\n$7\r\nmessage\r\n$7\r\nnotices\r\n$${text.length}\r\n${text}\r\n`),
    async close() {
      for (const socket of all) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

test('a subscription without an answer is repeated; one that is answered is left alone', async () => {
  const server = await createServerOfNotices(1)
  const heard: string[] = []
  const changes: boolean[] = []
  const valkey = openValkey({
    url: server.url,
    channel: 'notices',
    onMessage: (bytes) => void heard.push(bytes.toString()),
    onChange: (isUp) => void changes.push(isUp),
    log: fastify().log,
    timeoutMs: 300,
  })
  await expect.poll(() => changes).toEqual([true])
  expect(server.asked()).toBe(2)
  // This server ignores counts, so the call waits longer than a subscription may take.
  expect(await valkey.count([{ key: 'k', by: 1, window: 1_000 }])).toBeUndefined()
  server.say('hello')
  await expect.poll(() => heard).toEqual(['hello'])
  expect([changes, server.asked()]).toEqual([[true], 2])
  await valkey.close()
  await server.close()
})
