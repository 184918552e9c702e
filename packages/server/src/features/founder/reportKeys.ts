import { AppError } from '@privity/contract/errors'
import { reportKeys, type WrappedReportKey } from '@privity/contract/founder/reportKeys'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { Founder } from '../../core/http/guards.ts'
import { requireConfirmed } from './secondFactor/proof.ts'
import { implement } from '../../core/http/implement.ts'
import type { FounderReportKeyRow } from '../../core/database/tables/founder.ts'

const selectReportKeys = (db: Reader) =>
  db.all<FounderReportKeyRow>('select * from founder_report_keys order by created_at desc, id desc')

const insertReportKey = (tx: Tx, { id, public_key, wrapped_seed, created_at }: FounderReportKeyRow) =>
  tx.run('insert into founder_report_keys (id, public_key, wrapped_seed, created_at) values (?, ?, ?, ?)', [
    id,
    public_key,
    wrapped_seed,
    created_at,
  ])

const updateWrappedSeed = (tx: Tx, id: string, wrappedSeed: string) =>
  tx.run('update founder_report_keys set wrapped_seed = ? where id = ?', [wrappedSeed, id])

async function listReportKeys({ db, secrets }: Core): Promise<WrappedReportKey[]> {
  const rows = await selectReportKeys(db.read)
  return rows.map((row) => ({
    id: row.id,
    publicKey: row.public_key,
    wrappedSeed: secrets.decryptAtRest(row.wrapped_seed),
    createdAt: row.created_at,
  }))
}

/**
 * If two browsers add a key at the same moment, the second gets STALE_VERSION and uses the first one's key. Replacing a
 * key needs a confirmed session: the new key reads all later reports and locks the founder out of them, so a stolen
 * cookie must not be enough.
 */
function addReportKey(
  { db, secrets, clock }: Core,
  founder: Founder,
  given: { id: string; publicKey: string; wrappedSeed: string; replaces: string | null },
): Promise<void> {
  return db.write(async (tx) => {
    const rows = await selectReportKeys(tx)
    const newest = rows[0]
    if ((newest?.id ?? null) !== given.replaces || rows.some(({ id }) => id === given.id))
      throw new AppError('STALE_VERSION')
    if (given.replaces !== null) await requireConfirmed(tx, { clock }, founder)
    const at = clock.now()
    await insertReportKey(tx, {
      id: given.id,
      public_key: given.publicKey,
      wrapped_seed: secrets.encryptAtRest(given.wrappedSeed),
      // Keeps the order of creation even if the clock steps back.
      created_at: Math.max(at, (newest?.created_at ?? -1) + 1),
    })
    const details = { replaces: given.replaces }
    const { address } = founder
    await audit(tx, { action: 'report_key_published', actorId: 'founder', targetId: given.id, address, details, at })
  })
}

/** Stores the same keys wrapped under a new password. Keys left out open with the old password only. */
export async function rewrapReportKeys(
  tx: Tx,
  { secrets }: Core,
  rewrapped: readonly { id: string; wrappedSeed: string }[],
): Promise<void> {
  for (const { id, wrappedSeed } of rewrapped) await updateWrappedSeed(tx, id, secrets.encryptAtRest(wrappedSeed))
}

export function mountReportKeys(app: FastifyInstance, core: Core): void {
  implement(app, core, reportKeys, {
    list: async () => ({ keys: await listReportKeys(core) }),
    async add({ founder, body }) {
      await addReportKey(core, founder, body)
      return {}
    },
  })
}
