import { normaliseCode } from './connectionCode.ts'

/** The content of a shared link: a connection code, and the fingerprint of its owner's identity key. */
export interface ConnectionLink {
  code: string
  /** 16 bytes as base64url (docs/protocol.md). */
  fingerprint: string
}

const mark = '#connect='
const form = /^([^.]{1,64})\.([A-Za-z0-9_-]{22})$/

/** The code and the fingerprint are in the fragment, which browsers send to nobody. */
export const connectionLink = (origin: string, { code, fingerprint }: ConnectionLink): string =>
  `${origin}/${mark}${code}.${fingerprint}`

/** Whether the fragment of an address is meant for connecting, well-formed or not. */
export const isConnectionLink = (hash: string): boolean => hash.startsWith(mark)

/** Reads the fragment of an address; undefined unless it holds a code and a fingerprint. */
export function readConnectionLink(hash: string): ConnectionLink | undefined {
  const [, typed = '', fingerprint = ''] = (isConnectionLink(hash) && form.exec(hash.slice(mark.length))) || []
  const code = normaliseCode(typed)
  return code === undefined ? undefined : { code, fingerprint }
}
