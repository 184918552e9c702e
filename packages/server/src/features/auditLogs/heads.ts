import { emptyChain, headText, type SignedHead } from '@privity/contract/auditProof'
import { chainLeaf, leafOf, toProven } from '../../core/audit/hashChain.ts'
import type { AuditKey } from '../../core/audit/signingKey.ts'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import { insertHead, selectEntries, selectEntryHash, selectHead, selectLastEntry, selectLastHead } from './queries.ts'

/** The end of the log at one moment. */
export interface LogEnd {
  /** The number of the last entry, and the chain up to it. */
  entries: number
  hash: string
  /** The last signed head. */
  head: SignedHead | null
}

/** Throws if the log is empty. */
export async function readLogEnd(db: Reader): Promise<LogEnd> {
  const [entry, head] = [await selectLastEntry(db), await selectLastHead(db)]
  if (entry === undefined) throw new Error('the log is empty')
  return { entries: entry.seq, hash: entry.hash, head: head ?? null }
}

/** Limits a batch, so that a long unsigned log does not hold the database for long. */
const batchSize = 5_000

/** The stored log contradicts what was signed; this product never writes such a log. */
class RewrittenLog extends Error {}

/** Signing state in the memory of this process, out of reach for anyone who can write to the database. */
interface Known {
  newest?: SignedHead | undefined
  isRewritten: boolean
}

const knownBy = new WeakMap<AuditKey, Known>()

function known(key: AuditKey): Known {
  let found = knownBy.get(key)
  if (found === undefined) knownBy.set(key, (found = { isRewritten: false }))
  return found
}

/** True from the moment signing finds a rewritten log until it succeeds again. */
export const isLogRewritten = (key: AuditKey): boolean => known(key).isRewritten

/**
 * Returns the newest head, after checking that the log still holds what it has signed and the newest head that this
 * process knows.
 */
async function lastGoodHead(db: Reader, key: AuditKey): Promise<SignedHead | undefined> {
  const [head, { newest }] = [await selectLastHead(db), known(key)]
  if (newest !== undefined && (await selectHead(db, newest.n))?.signature !== newest.signature)
    throw new RewrittenLog(`the audit log has lost its signed head ${newest.n}`)
  if (head === undefined) return undefined
  if (!key.verifies(headText(head), head.signature))
    throw new RewrittenLog(`the signature of head ${head.n} of the audit log is not the server's`)
  if ((await selectEntryHash(db, head.seq)) !== head.hash)
    throw new RewrittenLog(`entry ${head.seq} of the audit log is not the one that was signed`)
  return head
}

/** Recomputes the chain of the next batch of entries and signs it; returns whether there may be more. */
function signNext({ db, clock, auditKey }: Signing): Promise<boolean> {
  return db.write(async (tx) => {
    const head = await lastGoodHead(tx, auditKey)
    const rows = await selectEntries(tx, head?.seq ?? 0, Number.MAX_SAFE_INTEGER, batchSize)
    let [seq, hash] = [head?.seq ?? 0, head?.hash ?? emptyChain]
    for (const row of rows) {
      hash = chainLeaf(hash, leafOf(toProven(row)))
      seq += 1
      if (row.seq !== seq || row.hash !== hash)
        throw new RewrittenLog(`entry ${row.seq} of the audit log does not follow from those before it`)
    }
    const remember = (newest: SignedHead | undefined) => tx.afterCommit(() => void (known(auditKey).newest = newest))
    if (rows.length === 0) {
      remember(head)
      return false
    }
    const next = { n: (head?.n ?? 0) + 1, seq, hash, at: clock.now() }
    const signed = { ...next, signature: auditKey.sign(headText(next)) }
    await insertHead(tx, signed)
    remember(signed)
    return rows.length === batchSize
  })
}

type Signing = Pick<Core, 'db' | 'clock' | 'auditKey'>

/**
 * Signs the chain as it stands, unless nothing was written since the last head. Throws on a rewritten log, each time,
 * without signing it; the health of the server reports it.
 */
export async function signHead(signing: Signing): Promise<void> {
  const state = known(signing.auditKey)
  try {
    while (await signNext(signing));
    state.isRewritten = false
  } catch (error) {
    state.isRewritten ||= error instanceof RewrittenLog
    throw error
  }
}
