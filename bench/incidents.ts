/**
 * Security incidents with a million stored events of one day: processing all of them, as after a start; processing one
 * more; and the cost of the founder's poll afterwards. `npm run bench incidents` (`-- --events N`). Target: the time of
 * a poll is independent of the number of events.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDb } from '@privity/server/core/database/database'
import { newId } from '@privity/server/core/ids'
import { recordSecurityEvent } from '@privity/server/core/audit/securityEvents'
import { createEngine, lookBack } from '@privity/server/features/founder/incidents/engine'
import { readOn, startOf } from '@privity/server/features/founder/incidents/signalReader'

const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' } } })
const wanted = Number(values.events)
const day = 24 * 60 * 60 * 1000
const now = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'privity-bench-incidents-'))
const db = await openDb(join(folder, 'privity.db'), { onError: (error) => console.error(error) })

const perWrite = 5_000
for (let done = 0; done < wanted; done += perWrite)
  await db.write(async (tx) => {
    for (let n = done; n < done + perWrite; n++) {
      const at = now - day + Math.floor((n / wanted) * day)
      const attack = n % 500 < 6
      await tx.run(
        `insert into security_events (id, event_type, severity, user_id, address, created_at) values (?, ?, 'low', ?, ?, ?)`,
        [
          newId(at),
          n % 2 === 0 || attack ? 'failed_sign_in' : 'copy_attempt',
          `user${attack ? Math.floor(n / 500) % 200 : (n * 7919) % 50_000}`,
          `10.${n % 200}.${(n * 31) % 256}.${(n * 7) % 256}`,
          at,
        ],
      )
    }
  })

const milliseconds = async (work: () => Promise<unknown>): Promise<string> => {
  const began = performance.now()
  await work()
  return (performance.now() - began).toFixed(2)
}

const engine = createEngine({ onOpened: () => {} })
let positions = await startOf(db.read, now - lookBack)
const follow = async () => {
  positions = await readOn(db.read, positions, (signal) => engine.take(signal, now))
}
const poll = async () => {
  await follow()
  engine.list(now)
}
const start = Number(await milliseconds(follow))
console.log(`events                     ${wanted}`)
console.log(
  `following them all         ${(start / 1000).toFixed(1)} s, ${((start / wanted) * 1000).toFixed(1)} us each`,
)
console.log(`open incidents             ${engine.held().incidents}, signals held ${engine.held().signals}`)
const polls: number[] = []
for (let n = 0; n < 200; n++) polls.push(Number(await milliseconds(poll)))
polls.sort((one, other) => one - other)
console.log(`a poll, nothing new        ${polls[100]} ms in the middle, ${polls[198]} ms for 99 of 100`)
const more: number[] = []
for (let n = 0; n < 100; n++) {
  await db.write((tx) =>
    recordSecurityEvent(tx, { type: 'failed_sign_in', severity: 'low', at: now, userId: 'user1', address: '10.9.9.9' }),
  )
  more.push(Number(await milliseconds(poll)))
}
more.sort((one, other) => one - other)
console.log(`a poll with one event more ${more[50]} ms in the middle`)
await db.close()
rmSync(folder, { recursive: true })
