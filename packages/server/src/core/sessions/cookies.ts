/** Returns the value of the first cookie of this name in a Cookie header, or undefined. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const wanted = `${name}=`
  let at = header.startsWith(wanted) ? 0 : header.indexOf(`; ${wanted}`)
  if (at < 0) return undefined
  if (at > 0) at += 2
  const end = header.indexOf(';', at)
  return header.slice(at + wanted.length, end < 0 ? undefined : end)
}

/** Returns a Set-Cookie value. `maxAge` in seconds; 0 removes the cookie. */
export function writeCookie(
  name: string,
  value: string,
  secure: boolean,
  maxAge: number,
  sameSite: 'Lax' | 'Strict' = 'Lax',
): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
}
