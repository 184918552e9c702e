import { headText } from '@privity/contract/auditProof'
import type { Core } from '../../core/core.ts'
import { insertHead, selectLastEntry, selectLastHead } from './queries.ts'

/** Signs the chain as it stands, unless nothing was written since it was last signed. */
export function signHead({ db, clock, auditKey }: Pick<Core, 'db' | 'clock' | 'auditKey'>): Promise<void> {
  return db.write(async (tx) => {
    const [entry, head] = [await selectLastEntry(tx), await selectLastHead(tx)]
    if (entry === undefined || entry.seq === head?.seq) return
    const signed = { n: (head?.n ?? 0) + 1, seq: entry.seq, hash: entry.hash, at: clock.now() }
    await insertHead(tx, { ...signed, signature: auditKey.sign(headText(signed)) })
  })
}
