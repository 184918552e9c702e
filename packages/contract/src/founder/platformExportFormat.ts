import type { SignedHead } from '../audit/auditProof.ts'

/**
 * The founder's export of the logs, as JSON or CSV (docs/audit-log.md): numbered rows, newest first, then the statement
 * that the server signed about all bytes before it.
 */
export const platformExportFormat = 'privity-platform-log/v1'

/** The fields of a row, in the order of the columns. */
export const platformColumns = [
  'no',
  'kind',
  'id',
  'time',
  'action',
  'severity',
  'performedBy',
  'performedById',
  'targetUserEmail',
  'targetId',
  'address',
  'description',
  'path',
  'details',
  'actorOrganization',
  'targetOrganization',
  'addressSalt',
  'addressCommitment',
  'nonce',
  'previous',
  'hash',
] as const
export type PlatformColumn = (typeof platformColumns)[number]

/** An entry of the audit log with all hashed fields, or a security event, whose last seven fields are null. */
export type PlatformRow = Record<Exclude<PlatformColumn, 'no' | 'kind' | 'details'>, string | null> & {
  /** 1, 2, 3 … */
  no: number
  kind: 'audit_entry' | 'security_event'
  /** As it is stored: JSON. */
  details: string
}

export interface PlatformStatement {
  format: 'csv' | 'json'
  madeAt: number
  startDate: number
  endDate: number
  eventType: string | null
  rows: number
  /** The number of the last entry of the log, and the chain up to it. */
  entries: number
  hash: string
  /** SHA-256 of all bytes of the file before the line that holds this. */
  digest: string
}

export interface PlatformProof {
  statement: PlatformStatement
  /** The last signed head of the log. */
  head: SignedHead | null
  /** The server's Ed25519 public key. */
  key: string
  /** Over platformText. */
  signature: string
}

export const platformText = (statement: PlatformStatement, head: SignedHead | null): string =>
  JSON.stringify([
    'privity/platform-export/v1',
    statement.format,
    statement.madeAt,
    statement.startDate,
    statement.endDate,
    statement.eventType,
    statement.rows,
    statement.entries,
    statement.hash,
    head === null ? null : [head.n, head.seq, head.hash, head.at, head.signature],
    statement.digest,
  ])

/** The first line of the JSON; each row is a line, and `jsonEnd` with the proof follows the last one. */
export const jsonBegin = `{"format":"${platformExportFormat}","logs":[`
export const jsonEnd = '],"proof":'

/** The `kind` of the last record of the CSV, whose `details` hold the proof as JSON. */
export const csvProofKind = 'proof'
