import { maxCodeLength, normaliseCode } from '@privity/contract/connectionCode'
import { isConnectionLink, readConnectionLink } from '@privity/contract/connectionLink'

/** A code that can be connected with; with a fingerprint if it comes from a link. */
export interface ScannedCode {
  code: string
  fingerprint?: string
}

/** Reads the text of a QR code: a code, a link of this origin, a link of another server, or something else. */
export function readScanned(text: string, origin: string): ScannedCode | 'foreign' | 'other' {
  // The prefix is compared as text: URL would accept user names, paths and other spellings of the host.
  if (text.startsWith(`${origin}/#`)) return readConnectionLink(text.slice(origin.length + 1)) ?? 'other'
  const code = text.length <= maxCodeLength ? normaliseCode(text) : undefined
  if (code !== undefined) return { code }
  return isForeignLink(text, origin) ? 'foreign' : 'other'
}

function isForeignLink(text: string, origin: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.origin !== origin && isConnectionLink(url.hash)
}
