import type { ExportStatement, ProvenEntry, SignedHead } from './auditProof.ts'

/** Format of an organization's export of the audit log: one JSON object per line, with the keys in the order below. */
export const organizationExportFormat = 'privity-audit-log/v1'

export interface ExportHeader {
  organizationId: string | null
  madeAt: number
  /** Addresses of entries before this time are not in it. */
  addressesSince: number
  /** The server's Ed25519 public key. */
  key: string
}

/** An entry of the organization. `address`: the actor's, if they belong to it and it is still kept; null otherwise. */
export interface FullEntry extends ProvenEntry {
  address: { salt: string; address: string } | null
  /** The chain up to this entry. */
  hash: string
}

/** An entry of another organization: only its hash. */
export interface BareEntry {
  seq: number
  leaf: string
  hash: string
}

export interface ExportEnd {
  statement: ExportStatement
  signature: string
}

export const headerLine = ({ organizationId, madeAt, addressesSince, key }: ExportHeader): string =>
  JSON.stringify({ format: organizationExportFormat, organizationId, madeAt, addressesSince, key })

export const fullLine = (entry: FullEntry): string =>
  JSON.stringify({
    seq: entry.seq,
    at: entry.at,
    action: entry.action,
    actorId: entry.actorId,
    actorOrganization: entry.actorOrganization,
    targetId: entry.targetId,
    targetOrganization: entry.targetOrganization,
    address: entry.address && { salt: entry.address.salt, address: entry.address.address },
    addressCommitment: entry.addressCommitment,
    details: entry.details,
    nonce: entry.nonce,
    hash: entry.hash,
  })

export const bareLine = ({ seq, leaf, hash }: BareEntry): string => JSON.stringify({ seq, leaf, hash })

export const headLine = ({ n, seq, hash, at, signature }: SignedHead): string =>
  JSON.stringify({ head: n, seq, hash, at, signature })

export const endLine = ({ statement, signature }: ExportEnd): string =>
  JSON.stringify({
    end: {
      organizationId: statement.organizationId,
      madeAt: statement.madeAt,
      addressesSince: statement.addressesSince,
      entries: statement.entries,
      hash: statement.hash,
      heads: statement.heads,
      own: statement.own,
      digest: statement.digest,
    },
    signature,
  })

/** Whether an export for this organization has the whole entry; null: the operator's export has all. */
export const isOwn = (
  entry: Pick<ProvenEntry, 'actorOrganization' | 'targetOrganization'>,
  organizationId: string | null,
): boolean =>
  organizationId === null || entry.actorOrganization === organizationId || entry.targetOrganization === organizationId

/** Whether an export includes an entry's address: only if the actor is of the organization, and while it is kept. */
export const givesAddress = (
  entry: Pick<ProvenEntry, 'at' | 'actorOrganization' | 'addressCommitment'>,
  { organizationId, addressesSince }: Pick<ExportStatement, 'organizationId' | 'addressesSince'>,
): boolean =>
  entry.addressCommitment !== null &&
  entry.at >= addressesSince &&
  (organizationId === null || entry.actorOrganization === organizationId)
