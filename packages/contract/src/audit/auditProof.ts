/**
 * The canonical encoding of what proves the audit log (docs/audit-log.md). Each text is UTF-8 JSON as
 * JSON.stringify writes it: one array, a label first, without white space. Hashes are SHA-256; hashes,
 * keys and signatures are base64url without padding.
 */
export interface ProvenEntry {
  /** 1, 2, 3 … without a gap. */
  seq: number
  at: number
  action: string
  actorId: string | null
  /** Organizations as they were at that time. */
  actorOrganization: string | null
  targetId: string | null
  targetOrganization: string | null
  /** SHA-256 of addressText. Address and salt are deleted earlier than the entry; null if there was no address. */
  addressCommitment: string | null
  /** JSON, as it is stored. */
  details: string
  /** Random, so that an entry cannot be guessed from its hash. */
  nonce: string
}

export interface SignedHead {
  /** 1, 2, 3 … without a gap. */
  n: number
  /** The number of the last entry that it covers. */
  seq: number
  /** The chain up to that entry. */
  hash: string
  at: number
  signature: string
}

/** The statement that the server signs about one export. */
export interface ExportStatement {
  /** null: the whole log, for the operator. */
  organizationId: string | null
  madeAt: number
  /** Addresses of entries before this time are not in it. */
  addressesSince: number
  /** The number of the last entry. */
  entries: number
  /** The chain up to it. */
  hash: string
  /** The number of the last head. */
  heads: number
  /** The numbers of the entries that are whole in the export: 1-5,8,10-12. */
  own: string
  /** SHA-256 of all lines before this one, line feeds included. */
  digest: string
}

/** The chain before the first entry. */
export const emptyChain = 'A'.repeat(43)

/**
 * The text whose hash is in the chain. Adding a hashed field, or changing the order, needs a new version label, because
 * earlier entries are verified by the text of their own version. No row stores its version, so the new field has to
 * show it: it is null in earlier rows. Processes of the former release verify new entries too, so a release has to know
 * a version before the next one writes it.
 */
export const entryText = (entry: ProvenEntry): string =>
  JSON.stringify([
    'privity/audit-entry/v1',
    entry.seq,
    entry.at,
    entry.action,
    entry.actorId,
    entry.actorOrganization,
    entry.targetId,
    entry.targetOrganization,
    entry.addressCommitment,
    entry.details,
    entry.nonce,
  ])

export const addressText = (salt: string, address: string): string =>
  JSON.stringify(['privity/audit-address/v1', salt, address])

export const headText = ({ n, seq, hash, at }: Omit<SignedHead, 'signature'>): string =>
  JSON.stringify(['privity/audit-head/v1', n, seq, hash, at])

export const statementText = (statement: ExportStatement): string =>
  JSON.stringify([
    'privity/audit-export/v1',
    statement.organizationId,
    statement.madeAt,
    statement.addressesSince,
    statement.entries,
    statement.hash,
    statement.heads,
    statement.own,
    statement.digest,
  ])
