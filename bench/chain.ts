/**
 * The cost of chaining the audit log for messages. First, processor time: an entry with everything that belongs to it,
 * in a transaction of its own, and the chain alone (reading the previous entry, two hashes). Then, throughput: the real
 * server beside the same server without chain and signed heads, in turns of a second, with a stream of audited actions
 * beside the messages; the figure is the median of the ratios of neighbouring turns. `npm run bench chain` (`--
 * --rounds N --turns N --pairs N --entries N`). Targets: at most 5 % of the core, and of the throughput.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { emptyChain, type ProvenEntry } from '@privity/contract/auditProof'
import { audit } from '@privity/server/core/audit/audit'
import { chainLeaf, leafOf } from '@privity/server/core/audit/hashChain'
import { openDb } from '@privity/server/core/database/database'
import { newId } from '@privity/server/core/ids'
import { openContender, type Turn } from './chain/turns.ts'
import { median, quantile } from './load/stats.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    turns: { type: 'string', default: '40' },
    pairs: { type: 'string', default: '50' },
    entries: { type: 'string', default: '50' },
  },
})
const perRound = 1000
const entriesASecond = Number(values.entries)

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

/** Microseconds of processor time per operation. */
async function cost(work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / perRound
}

try {
  await prepare()
  const costs = { whole: [] as number[], alone: [] as number[] }
  // The first round is a warm-up.
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

const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)

function report(turns: readonly { chained: Turn; unchained: Turn }[]): void {
  const ratios = (key: 'rate' | 'cost') =>
    ascending(turns.map(({ chained, unchained }) => chained[key] / unchained[key]))
  const middle = (numbers: readonly number[]) => [0.5, 0.25, 0.75].map((share) => quantile(numbers, share).toFixed(3))
  const [rates, costs] = [middle(ratios('rate')), middle(ratios('cost'))]
  const typical = (which: 'chained' | 'unchained') => median(turns.map((turn) => turn[which].rate)).toFixed(0)
  const written = median(turns.map(({ chained }) => chained.entries))
  console.log(
    `messages a second beside ${written} entries a turn: ${typical('chained')} with the chain, ${typical('unchained')} without`,
  )
  console.log(`${rates[0]} of the throughput (middle half ${rates[1]} to ${rates[2]}; target: at least 0.95)`)
  console.log(`${costs[0]} of the processor time for a message (middle half ${costs[1]} to ${costs[2]})`)
}

const pairs = Number(values.pairs)
const [chained, unchained] = [
  await openContender(true, pairs, entriesASecond),
  await openContender(false, pairs, entriesASecond),
]
const second = 1000
const turns: { chained: Turn; unchained: Turn }[] = []
// Negative turns are a warm-up; the order alternates between turns.
for (let turn = -5; turn < Number(values.turns); turn++) {
  const [one, other] = turn % 2 === 0 ? [chained, unchained] : [unchained, chained]
  const [first, then] = [await one.turn(second), await other.turn(second)]
  if (turn >= 0) turns.push(one === chained ? { chained: first, unchained: then } : { chained: then, unchained: first })
}
await chained.close()
await unchained.close()
report(turns)
process.exit(0)
