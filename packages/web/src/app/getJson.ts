/** GET of a path as JSON. Any other answer than success throws, its message the status, a colon and the text. */
export async function getJson<T>(path: string): Promise<T> {
  const response = await fetch(path, { credentials: 'include' })
  if (!response.ok) throw new Error(`${response.status}: ${(await response.text()) || response.statusText}`)
  return (await response.json()) as T
}
