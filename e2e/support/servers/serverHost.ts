import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { daytimeZone } from './daytime.ts'
import type { Answer, Order, Started } from './hostedServers.ts'
import { makeDataDir, type RunningServer, serverEnvironment } from './server.ts'

const program = fileURLToPath(new URL('hostedServers.ts', import.meta.url))

export interface ServerHost {
  /** Like `startServer`, but in the host's process, so it cannot be killed alone. */
  start(given: Record<string, string>, from?: string): Promise<RunningServer>
  end(): Promise<void>
}

/** One process for the servers of many journeys. */
export function createServerHost(): ServerHost {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const child = fork(program, {
    env: { PATH, TZ: daytimeZone(), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      output += part
    })
  let orders = 0
  const waiting = new Map<number, (answer: Answer) => void>()
  child.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  const ended = once(child, 'exit').then(([code]) => {
    for (const [id, answer] of waiting)
      answer({ id, error: `The process of the servers ended with ${code}:\n${output}` })
    waiting.clear()
  })

  async function ask(order: { start: Record<string, string> } | { stop: string }): Promise<Started> {
    const id = ++orders
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve)
      child.send({ id, ...order } satisfies Order, (error) => {
        if (error) resolve({ id, error: `${error.message}\n${output}` })
      })
    })
    if ('error' in answer) throw new Error(answer.error)
    return answer
  }

  return {
    async start(given, from) {
      const before = output.length
      const { dataDir, remove } = await makeDataDir(from)
      const { url: origin, founderPassword } = await ask({ start: serverEnvironment(dataDir, { ...given, PORT: '0' }) })
      return {
        origin,
        dataDir,
        founderPassword,
        log: () => output.slice(before),
        async stop() {
          await ask({ stop: origin })
          await remove()
        },
      }
    },
    async end() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
