import { isIP } from 'node:net'
import type { SecondFactorState } from '@privity/contract/secondFactor'
import type { Config } from '../../core/config/types.ts'

/** The site that a passkey is made for: `id` is its domain, `origin` the address of the page. */
export interface RelyingParty {
  id: string
  origin: string
}

type Unavailable = Exclude<SecondFactorState['passkeysHere'], 'possible'>

/**
 * From PUBLIC_URL, else from the host name that the browser used, like the check of Origin. A passkey made under one
 * name is never accepted under another. Browsers offer passkeys to domains over HTTPS, and to localhost.
 */
export function relyingPartyOf(
  { publicUrl, tls }: Pick<Config, 'publicUrl' | 'tls'>,
  hostHeader: string | undefined,
): RelyingParty | Unavailable {
  const text = publicUrl ?? `${tls === undefined ? 'http' : 'https'}://${hostHeader ?? ''}`
  if (!URL.canParse(text)) return 'address'
  const { hostname, protocol, origin } = new URL(text)
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return 'address'
  if (protocol !== 'https:' && hostname !== 'localhost') return 'insecure'
  return { id: hostname, origin }
}
