import type { AuditKey } from '../core/audit/signingKey.ts'
import type { Db } from '../core/database/types.ts'
import { exportLines, takeSnapshot } from '../features/auditLogs/exportLines.ts'
import { selectLastEntry } from '../features/auditLogs/queries.ts'
import { type Verdict, verifyExport } from '../auditVerifier/verifyExport.ts'

async function* toBytes(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of lines) yield Buffer.from(text)
}

/** Verifies the whole log of a database like an export; undefined if it has no entry. */
export async function checkLog(db: Db, key: AuditKey, now: number): Promise<Verdict | undefined> {
  if ((await selectLastEntry(db.read)) === undefined) return undefined
  const snapshot = await takeSnapshot(db.read, null, now)
  return verifyExport(toBytes(exportLines(db.read, key, snapshot)), key.publicKey)
}
