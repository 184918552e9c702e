/**
 * A process that runs the servers of one worker of the journeys: loading the server's modules for each server would
 * take longer than most journeys. Receives `{id, start: env}` and `{id, stop: url}`, and sends `{id, url,
 * founderPassword}` or `{id, error}`.
 */
import { run, type Running } from '../../../packages/server/src/run.ts'

export type Order = { id: number } & ({ start: Record<string, string> } | { stop: string })
export type Started = { url: string; founderPassword?: string | undefined }
export type Answer = { id: number } & (Started | { error: string })

const running = new Map<string, Running>()

async function obey(order: Order): Promise<Started> {
  if ('start' in order) {
    const server = await run(order.start)
    running.set(server.facts.url, server)
    return { url: server.facts.url, founderPassword: server.facts.founder.password }
  }
  const server = running.get(order.stop)
  running.delete(order.stop)
  await server?.drain()
  // As in main.ts: connections that a journey left open must not delay the next one.
  const late = setTimeout(() => server?.cutOff(), server?.drainTime)
  await server?.close()
  clearTimeout(late)
  return { url: order.stop }
}

process.on('message', (order: Order) => {
  obey(order).then(
    (started) => process.send?.({ id: order.id, ...started } satisfies Answer),
    (error: unknown) => process.send?.({ id: order.id, error: String(error) } satisfies Answer),
  )
})
process.on('disconnect', () => process.exit(0))
