/** Quick instead of Argon2id, where a test is about something else. */
export async function deriveQuickly(password: string, username: string, version = 1): Promise<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder().encode(`${username.trim().toLowerCase()}/${password}/${version}`)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', text))
}
