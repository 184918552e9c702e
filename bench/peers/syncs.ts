import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Target } from '../load/client.ts'
import { treeOf } from '../load/processes.ts'
import { connectAll, latency, disconnectAll, range } from '../load/scenarios.ts'
import { sleep } from '../load/stats.ts'

const calls = ['fsync', 'fdatasync', 'sync_file_range', 'msync'] as const

/** The calls of each kind in the output of `strace -c`. */
export function readCounts(text: string): Record<string, number> {
  const found = calls.map((call): [string, number] => {
    const [, count = '0'] =
      new RegExp(String.raw`^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?${call}$`, 'm').exec(text) ?? []
    return [call, Number(count)]
  })
  return Object.fromEntries(found)
}

/** How often a server and its database sync to the disk per message, at 20 messages a second. */
export async function countSyncs(target: Target) {
  const pids = treeOf(Object.values(target.processes()).flat())
  const args = ['-f', '-c', '-e', `trace=${calls.join()}`, ...pids.flatMap((pid) => ['-p', String(pid)])]
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  strace.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
  const closed = once(strace, 'close')
  await sleep(1000)
  const clients = await connectAll(target, range(100))
  const { sent } = await latency(clients, { rate: 20, seconds: 5, warm: 0 }).finally(() => strace.kill('SIGINT'))
  await closed
  await disconnectAll(clients)
  const counts = readCounts(text)
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { messages: sent, ...counts, 'syncs a message': Number((all / sent).toFixed(2)) }
}
