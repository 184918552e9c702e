/**
 * The audit log with a million entries: writing an entry, reading a page by each filter, exporting, and verifying the
 * file. `npm run bench audit` (`-- --entries N`). Targets: the time of a page is independent of the log's size, and the
 * verification takes under a minute.
 */
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { verifyExport } from '@privity/server/auditVerifier/verifyExport'
import { audit } from '@privity/server/core/audit/audit'
import { loadAuditKey } from '@privity/server/core/audit/signingKey'
import { systemClock } from '@privity/server/core/clock'
import { openDb } from '@privity/server/core/database/database'
import type { Db } from '@privity/server/core/database/types'
import { newId } from '@privity/server/core/ids'
import { createSecrets } from '@privity/server/core/secrets/secrets'
import { exportLines, takeSnapshot } from '@privity/server/features/auditLogs/exportLines'
import { signHead } from '@privity/server/features/auditLogs/heads'
import { selectActions, selectFiltered } from '@privity/server/features/auditLogs/queries'

const { values } = parseArgs({ options: { entries: { type: 'string', default: '1000000' } } })
const wanted = Number(values.entries)
const offices = 5
const people = 2000
const actions = ['signed_in', 'signed_out', 'upload_created', 'file_uploaded', 'file_registered', 'connection_created']
const start = Date.now() - wanted * 20

const folder = mkdtempSync(join(tmpdir(), 'privity-bench-audit-'))
/** An id of the same length as a real one. */
const idOf = (kind: 'u' | 'o', n: number) => `${kind}0000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const seconds = (from: number) => ((performance.now() - from) / 1000).toFixed(1)

async function fill(db: Db): Promise<void> {
  await db.write(async (tx) => {
    for (let n = 0; n < offices; n++)
      await tx.run('insert into organizations (id, name, type, created_at) values (?, ?, ?, ?)', [
        idOf('o', n),
        'o',
        'x',
        n,
      ])
    for (let n = 0; n < people; n++)
      await tx.run(
        `insert into users (id, username, email, first_name, last_name, role, organization_id, connection_code,
           password_hash, created_at) values (?, ?, ?, 'A', 'B', 'user', ?, ?, 'x', 1)`,
        [idOf('u', n), `u${n}`, `u${n}@example.com`, idOf('o', n % offices), `c${n}`],
      )
  })
  const key = await loadAuditKey(db, createSecrets(folder, undefined))
  const perWrite = 100
  const began = performance.now()
  for (let done = 0; done < wanted; done += perWrite) {
    await db.write(async (tx) => {
      for (let n = done; n < done + perWrite; n++) {
        const rare = n % 50_000 === 7
        await audit(tx, {
          action: rare ? 'user_role_changed' : (actions[n % actions.length] as string),
          actorId: idOf('u', (n * 7919) % people),
          targetId: n % 3 === 0 ? idOf('u', (n * 104_729) % people) : undefined,
          address: `10.${n % 250}.${n % 7}.1`,
          details: { id: newId(start), n },
          at: start + n * 20,
        })
      }
    })
    await signHead({ db, clock: { ...systemClock, now: () => start + (done + perWrite) * 20 }, auditKey: key })
  }
  const took = performance.now() - began
  console.log(
    `${wanted} entries, ${wanted / perWrite} heads written in ${(took / 1000).toFixed(0)} s: ${((took * 1000) / wanted).toFixed(0)} µs an entry`,
  )
}

async function pages(db: Db): Promise<void> {
  const middle = start + (wanted / 2) * 20
  const filters = {
    newest: {},
    'deep page': { before: Math.floor(wanted / 2) },
    'common action': { action: 'signed_in' },
    'rare action': { action: 'user_role_changed' },
    'unknown action': { action: 'nothing' },
    person: { person: idOf('u', 7) },
    'person and action': { person: idOf('u', 7), action: 'signed_in' },
    'an old day': { from: middle, to: middle + 24 * 60 * 60 * 1000 },
  }
  for (const [name, filter] of Object.entries(filters)) {
    const times: number[] = []
    for (let n = 0; n < 50; n++) {
      const from = performance.now()
      await selectFiltered(db.read, { organizationId: idOf('o', n % offices), limit: 50, ...filter })
      times.push(performance.now() - from)
    }
    times.sort((a, b) => a - b)
    console.log(`page of 50, ${name}: median ${times[25]?.toFixed(2)} ms, slowest ${times[49]?.toFixed(2)} ms`)
  }
  const from = performance.now()
  await selectActions(db.read, idOf('o', 1))
  console.log(`the actions that occur: ${(performance.now() - from).toFixed(2)} ms`)
}

async function exportAndVerify(db: Db, organizationId: string | null): Promise<void> {
  const key = await loadAuditKey(db, createSecrets(folder, undefined))
  const path = join(folder, 'export.jsonl')
  const from = performance.now()
  const lines = exportLines(db.read, key, await takeSnapshot(db.read, organizationId, Date.now()))
  await pipeline(Readable.from(lines, { objectMode: false }), createWriteStream(path))
  const megabytes = (statSync(path).size / 1024 / 1024).toFixed(0)
  console.log(`export for ${organizationId ?? 'the operator, all in full'}: ${megabytes} MB in ${seconds(from)} s`)
  const began = performance.now()
  const { problem, entries, own, heads } = await verifyExport(
    createReadStream(path, { highWaterMark: 1024 * 1024 }),
    key.publicKey,
  )
  if (problem !== undefined) throw new Error(problem.sentence)
  console.log(`verified ${entries} entries (${own} in full) and ${heads} heads in ${seconds(began)} s (target 60)`)
}

const db = await openDb(join(folder, 'privity.db'), { onError: (error) => console.error(error) })
try {
  await fill(db)
  await db.emptyLog()
  console.log(`the database: ${(statSync(join(folder, 'privity.db')).size / 1024 / 1024).toFixed(0)} MB`)
  await pages(db)
  await exportAndVerify(db, idOf('o', 1))
  await exportAndVerify(db, null)
} finally {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
}
