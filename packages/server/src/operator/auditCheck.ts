import type { AuditKey } from '../core/audit/signingKey.ts'
import type { Db } from '../core/database/types.ts'
import { writeOrganizationExport, takeSnapshot } from '../features/auditLogs/organizationExportWriter.ts'
import { selectLastEntry } from '../features/auditLogs/queries.ts'
import { type OrganizationVerdict, verifyOrganizationExport } from '../auditVerifier/organizationExportVerifier.ts'

async function* toBytes(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of lines) yield Buffer.from(text)
}

/** Verifies the whole log of a database like an export; undefined if it has no entry. */
export async function checkLog(db: Db, key: AuditKey, now: number): Promise<OrganizationVerdict | undefined> {
  if ((await selectLastEntry(db.read)) === undefined) return undefined
  const snapshot = await takeSnapshot(db.read, null, now)
  return verifyOrganizationExport(toBytes(writeOrganizationExport(db.read, key, snapshot)), key.publicKey)
}
