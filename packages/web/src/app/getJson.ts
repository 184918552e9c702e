/** Fetches a path as JSON. Throws for every status but success, with a message of the form `status: text`. */
export async function getJson<T>(path: string): Promise<T> {
  const response = await fetch(path, { credentials: 'include' })
  if (!response.ok) throw new Error(`${response.status}: ${(await response.text()) || response.statusText}`)
  return (await response.json()) as T
}
