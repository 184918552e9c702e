/** Quick instead of Argon2id, where a test is about something else. */
export async function deriveQuickly(password: string, username: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder().encode(`${username.trim().toLowerCase()}/${password}`)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', text))
}
