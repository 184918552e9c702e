import type { AuditKey } from '../core/audit/signingKey.ts'
import type { Db } from '../core/database/types.ts'
import { exportLines, takeSnapshot } from '../features/auditLogs/exportLines.ts'
import { selectLastEntry } from '../features/auditLogs/queries.ts'
import { type Verdict, verifyExport } from '../auditVerifier/verifyExport.ts'

async function* toBytes(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of lines) yield Buffer.from(text)
}

/** The whole log of a database, checked like an export; undefined where nothing was ever written. */
export async function checkLog(db: Db, key: AuditKey, now: number): Promise<Verdict | undefined> {
  if ((await selectLastEntry(db.read)) === undefined) return undefined
  const snapshot = await takeSnapshot(db.read, null, now)
  return verifyExport(toBytes(exportLines(db.read, key, snapshot)), key.publicKey)
}
