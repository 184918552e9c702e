import { queryOptions } from '@tanstack/react-query'
import type { User } from '@privity/contract/session'

const minute = 60_000

async function getUser(): Promise<User | null> {
  const response = await fetch('/api/user', { credentials: 'include' })
  if (response.status === 401) return null
  if (!response.ok) throw new Error(`HTTP error! status: ${response.status}`)
  return (await response.json()) as User
}

/** The signed-in user; null for a visitor. Plain fetch, so that a visitor's first screen need not load the client. */
export const userQuery = queryOptions({
  queryKey: ['/api/user'],
  queryFn: getUser,
  staleTime: 5 * minute,
  gcTime: 10 * minute,
})
