import { emptyChain, headText, type SignedHead } from '@privity/contract/auditProof'
import { chainLeaf, leafOf } from '../../core/audit/hashChain.ts'
import type { AuditKey } from '../../core/audit/signingKey.ts'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import { toProven } from './exportLines.ts'
import { insertHead, selectEntries, selectEntryHash, selectHead, selectLastHead } from './queries.ts'

/** So that a long log that nobody has signed yet does not hold the database for long. */
const entriesAtOnce = 5_000

/** What the log is not, if it was only ever written by this product. */
class RewrittenLog extends Error {}

/** What this process knows of the log: whoever can write to the database cannot write here. */
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

/** Whether the log was found to be another than the one that was signed, the last time it was to be signed. */
export const isLogRewritten = (key: AuditKey): boolean => known(key).isRewritten

/** The newest head, if the log still holds what it and the newest head that this process knows have signed. */
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

/** Signs the next entries, at most so many, after making their chain anew; answers whether there may be more. */
function signNext({ db, clock, auditKey }: Signing): Promise<boolean> {
  return db.write(async (tx) => {
    const head = await lastGoodHead(tx, auditKey)
    const rows = await selectEntries(tx, head?.seq ?? 0, Number.MAX_SAFE_INTEGER, entriesAtOnce)
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
    return rows.length === entriesAtOnce
  })
}

type Signing = Pick<Core, 'db' | 'clock' | 'auditKey'>

/**
 * Signs the chain as it stands, unless nothing was written since it was last signed. What was rewritten in the database
 * is not signed: throws, each time, and the health of the server says so.
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
