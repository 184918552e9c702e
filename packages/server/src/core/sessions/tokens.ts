import { hash, randomBytes } from 'node:crypto'
import { limits } from '@privity/contract/limits'
import type { Tx, Value } from '../database/types.ts'

export const hashToken = (token: string): string => hash('sha256', token, 'base64url')

/** Returns the value of the first cookie of this name in a Cookie header, or undefined. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const prefix = `${name}=`
  let start = header.startsWith(prefix) ? 0 : header.indexOf(`; ${prefix}`)
  if (start < 0) return undefined
  if (start > 0) start += 2
  const end = header.indexOf(';', start)
  return header.slice(start + prefix.length, end < 0 ? undefined : end)
}

/** Returns a Set-Cookie value. `maxAge` in seconds; 0 removes the cookie; undefined: it ends with the browser. */
export function writeCookie(
  name: string,
  value: string,
  secure: boolean,
  maxAge: number | undefined,
  sameSite: 'Lax' | 'Strict' = 'Lax',
): string {
  const lifetime = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
  return `${name}=${value}; Path=/; HttpOnly; SameSite=${sameSite}${lifetime}${secure ? '; Secure' : ''}`
}

/** Returns the SHA-256 of the token in a session's cookie; undefined if the cookie cannot hold one. */
export function readTokenHash(cookieHeader: string | undefined, cookieName: string): string | undefined {
  const token = readCookie(cookieHeader, cookieName)
  return token?.length === 43 ? hashToken(token) : undefined
}

/** SQL condition: the token is the session's, or its former one and still valid. Parameters: `tokenParameters`. */
export const hasToken = '(token_hash = ? or (former_token_hash = ? and former_until > ? and former_until <= ?))'

/** The parameters of `hasToken`. A former token that ends after the last of them was set while the clock was ahead. */
export const tokenParameters = (tokenHash: string, now: number): Value[] => [
  tokenHash,
  tokenHash,
  now,
  now + limits.tokenOverlap,
]

/** Gives a session a new token; undefined if `former` is not its present one. */
export async function replaceToken(
  tx: Tx,
  table: 'sessions' | 'founder_sessions',
  { sessionId, tokenHash: former }: { sessionId: string; tokenHash: string },
  now: number,
): Promise<{ token: string; tokenHash: string } | undefined> {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashToken(token)
  const { changes } = await tx.run(
    `update ${table} set token_hash = ?, former_token_hash = token_hash, former_until = ?
     where id = ? and token_hash = ?`,
    [tokenHash, now + limits.tokenOverlap, sessionId, former],
  )
  return changes === 0 ? undefined : { token, tokenHash }
}
