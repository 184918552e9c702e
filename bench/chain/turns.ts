import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { httpClient } from '../load/http.ts'
import { startListening } from '../load/listening.ts'
import { createPair, type Member } from '../load/member.ts'
import { cpuTime, forgetAtEnd } from '../load/processes.ts'
import { pool, sleep } from '../load/stats.ts'
import { traffic } from '../load/traffic.ts'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
/** Messages in flight per pair. */
const window = 4

/** One turn of a server: messages a second, processor time (µs) per message, and audit entries written meanwhile. */
export interface Turn {
  rate: number
  cost: number
  entries: number
}

/**
 * A member whose every call writes an audit entry, evenly at `perSecond`; `run` resolves with the number of completed
 * calls.
 */
async function openAuditor(port: number, perSecond: number) {
  const http = httpClient(port, 8)
  const body = { username: 'auditor', password: 'p', firstName: 'A', lastName: 'B', email: 'a@example.com' }
  const { head } = await http.request('POST', '/api/register', { body })
  const headers = `cookie: ${/\r\nset-cookie: *([^;\r]*)/i.exec(head)?.[1] ?? ''}\r\n`
  return {
    async run(isOn: () => boolean): Promise<number> {
      const under: Promise<void>[] = []
      const start = performance.now()
      let done = 0
      for (let i = 0; isOn(); i++) {
        await sleep(Math.max(0, start + (i * 1000) / perSecond - performance.now()))
        under.push(
          http.request('POST', '/api/connection-code/generate', { headers }).then(({ status }) => {
            if (status !== 200) throw new Error(`an audited call was answered with ${status}`)
            done += 1
          }),
        )
      }
      await Promise.all(under)
      return done
    },
    close: http.close,
  }
}

/** Whether the entries of this log have no chain: proves that each server was the intended one. */
function unchainedIn(path: string): boolean {
  const database = new DatabaseSync(path, { readOnly: true })
  const { n } = database.prepare('select count(distinct hash) as n from audit_log').get() as { n: number }
  database.close()
  return n === 1
}

/** The server of ../ours.ts with some pairs who send messages and one member whose actions are audited. */
export async function openContender(isChained: boolean, pairCount: number, entriesASecond: number) {
  const folder = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  forgetAtEnd(folder)
  const node = isChained ? [] : ['--import', file('./register.ts')]
  const { port, pid, stop } = await startListening([file('../ours.ts'), folder], {}, node)
  const auditor = await openAuditor(port, entriesASecond)
  const pairs = await pool(pairCount, 4, () => createPair(port))
  // Wait until the messages sent by `createPair` have arrived.
  await sleep(1000)
  let [running, counting, count] = [false, false, 0]
  const run = traffic(pairs.flat(), (recipient) => {
    if (counting) count += 1
    if (running) run.send(recipient)
  })
  return {
    async turn(milliseconds: number): Promise<Turn> {
      running = counting = true
      count = 0
      const [start, used] = [performance.now(), cpuTime([pid])]
      const audited = auditor.run(() => running)
      for (let i = 0; i < window; i++) for (const pair of pairs) run.send(pair[i % 2] as Member)
      await sleep(milliseconds)
      const passed = performance.now() - start
      const cost = (cpuTime([pid]) - used) / count
      const rate = (count * 1000) / passed
      running = counting = false
      const entries = await audited
      await run.drain()
      return { rate, cost, entries }
    },
    async close() {
      const { sent, lost, doubled, failed } = run.counts()
      for (const member of pairs.flat()) member.close()
      auditor.close()
      await stop()
      if (unchainedIn(join(folder, 'privity.db')) !== !isChained) throw new Error('a server had the other’s log')
      if (lost || doubled || failed.length)
        throw new Error(`${sent} sent, ${lost} lost, ${doubled} doubled; ${failed[0] ?? ''}`)
    },
  }
}
