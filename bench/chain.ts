/**
 * What chaining the audit log costs messages: an entry with all that belongs to it, in a transaction of its own, and
 * the chain alone (looking up the entry before, two hashes), in processor time of the thread and its kernel calls, which
 * other work on the machine disturbs less. `npm run bench chain` (`-- --rounds N`). Target: 50 entries a second take at
 * most 5 % of the core that messages are sent with.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { emptyChain, type ProvenEntry } from '@privity/contract/auditProof'
import { audit } from '@privity/server/core/audit'
import { chainLeaf, leafOf } from '@privity/server/core/auditChain'
import { openDb } from '@privity/server/core/db'
import { newId } from '@privity/server/core/ids'
import { median } from './load/stats.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } })
const perRound = 1000
const entriesASecond = 50

const folder = mkdtempSync(join(tmpdir(), 'privity-bench-chain-'))
const db = await openDb(join(folder, 'privity.db'), { onError: (error) => console.error(error) })
const [organizationId, userId] = [newId(1), newId(2)]
const hash = 'x'.repeat(43)
const details = () => ({ connectionId: newId(Date.now()) })

async function prepare(): Promise<void> {
  await db.write(async (tx) => {
    await tx.run("insert into organizations (id, name, type, created_at) values (?, 'o', 'x', 1)", [organizationId])
    await tx.run(
      `insert into users (id, username, email, first_name, last_name, role, organization_id, connection_code,
         password_hash, created_at) values (?, 'u', 'u@example.com', 'A', 'B', 'user', ?, 'c', 'x', 1)`,
      [userId, organizationId],
    )
  })
}

async function entries(): Promise<void> {
  for (let n = 0; n < perRound; n++)
    await db.write((tx) =>
      audit(tx, {
        action: 'connection_created',
        actorId: userId,
        address: '10.0.0.1',
        details: details(),
        at: Date.now(),
      }),
    )
}

const chain = () =>
  db.write(async (tx) => {
    for (let seq = 1; seq <= perRound; seq++) {
      const last = await tx.get<{ hash: string }>('select seq, hash from audit_log order by seq desc limit 1')
      const entry: ProvenEntry = {
        seq,
        at: Date.now(),
        action: 'connection_created',
        actorId: userId,
        actorOrganization: organizationId,
        targetId: null,
        targetOrganization: null,
        addressCommitment: hash,
        details: JSON.stringify(details()),
        nonce: hash,
      }
      chainLeaf(last?.hash ?? emptyChain, leafOf(entry))
    }
  })

/** Microseconds of processor time for one. */
async function cost(work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / perRound
}

try {
  await prepare()
  const costs = { whole: [] as number[], alone: [] as number[] }
  // The first of each is warming up.
  for (let round = 0; round <= Number(values.rounds); round++) {
    const [whole, alone] = [await cost(entries), await cost(chain)]
    if (round === 0) continue
    costs.whole.push(whole)
    costs.alone.push(alone)
  }
  const share = (microseconds: number) => `${((microseconds * entriesASecond) / 1e4).toFixed(2)} %`
  const [whole, alone] = [median(costs.whole), median(costs.alone)]
  console.log(`an entry, durable: ${whole.toFixed(0)} µs; the chain of it: ${alone.toFixed(0)} µs`)
  console.log(
    `${entriesASecond} a second take ${share(whole)} of a core, the chain ${share(alone)} of it (target: at most 5 %)`,
  )
} finally {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
}
