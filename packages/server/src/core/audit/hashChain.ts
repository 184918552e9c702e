import { hash } from 'node:crypto'
import { entryText, type ProvenEntry } from '@privity/contract/auditProof'

export const hashText = (text: string): string => hash('sha256', text, 'base64url')

export const leafOf = (entry: ProvenEntry): string => hashText(entryText(entry))

/** Extends the chain by an entry: SHA-256 of the previous chain value and the entry's own hash, 32 bytes each. */
export function chainLeaf(previous: string, leaf: string): string {
  const both = Buffer.allocUnsafe(64)
  both.write(previous, 0, 32, 'base64url')
  both.write(leaf, 32, 32, 'base64url')
  return hash('sha256', both, 'base64url')
}
