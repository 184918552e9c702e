import { useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { toast } from '../ui/toastStore.ts'
import { followPreferences } from './preferencesQuery.ts'
import { queryClient } from './queryClient.ts'
import { coreTexts } from './texts.ts'
import { userQuery } from './userQuery.ts'

/** `locked`: the session is good, but this browser no longer has the keys; the password opens them. */
export type Session =
  | { status: 'checking' }
  | { status: 'signedOut' }
  | { status: 'locked'; user: User; client: Client }
  | { status: 'open'; user: User; client: Client }

let session: Session = { status: 'checking' }
/** While the recovery key is being shown, the new account's session is kept back from the router. */
let heldBack: Session | undefined
let holding = false
const listeners = new Set<() => void>()
let client: Promise<Client> | undefined

function change(next: Session): void {
  if (holding) {
    heldBack = next
    return
  }
  session = next
  for (const listener of listeners) listener()
}

/** The client with all its cryptography; loaded on first use, one per tab. */
export function loadClient(): Promise<Client> {
  client ??= connect().catch((error: unknown) => {
    client = undefined
    throw error
  })
  return client
}

async function connect(): Promise<Client> {
  const { createAppClient } = await import('./appClient.ts')
  const made = createAppClient()
  const publish = () => {
    const state = made.account.state.get()
    if (state.status === 'open' || state.status === 'locked') {
      queryClient.setQueryData(userQuery.queryKey, state.user)
      change({ ...state, client: made })
    } else change(state)
  }
  made.account.state.subscribe(publish)
  followPreferences(made)
  made.on('user_changed', () => void queryClient.invalidateQueries(userQuery))
  made.on('signed_out', ({ reason }) => leave(reason === 'ended'))
  return made
}

/** What a session that is over leaves behind: nothing loaded, and the landing page. */
function leave(byServer: boolean): void {
  if (session.status !== 'open' && session.status !== 'locked') return
  queryClient.clear()
  navigate('/', { replace: true })
  if (byServer) toast({ title: coreTexts.sessionEnded, description: coreTexts.sessionEndedHere, tone: 'info' })
}

/**
 * Asks who is signed in. A failed check is treated as signed out and only logged. `fetchMemberPage` is begun
 * beside the client, so that a member waits for the longer of the two and not for both.
 */
export async function startSession(fetchMemberPage: () => Promise<unknown>): Promise<void> {
  try {
    const user = await queryClient.fetchQuery(userQuery)
    if (!user) return change({ status: 'signedOut' })
    fetchMemberPage().catch((error: unknown) => console.error(error))
    await (await loadClient()).account.start(user)
  } catch (error) {
    console.error(error)
    change({ status: 'signedOut' })
  }
}

/** From now on a session that opens stays unseen, until `releaseSession`. */
export function holdSession(): void {
  holding = true
}

export function releaseSession(): void {
  holding = false
  const next = heldBack
  heldBack = undefined
  if (next) change(next)
}

/**
 * Clears what was loaded, ends the session, and goes to the landing page whatever the server says: with a new page,
 * which leaves nothing in memory, or by the router where the server cannot be reached to give one.
 */
export async function signOut(): Promise<void> {
  queryClient.clear()
  try {
    await (await loadClient()).account.signOut()
    location.assign('/')
  } catch (error) {
    console.error(error)
    navigate('/', { replace: true })
    toast({ title: coreTexts.signedOutHere, description: coreTexts.sessionNotEnded, tone: 'warning' })
  }
}

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => session,
  )
}

/** For screens that exist only while someone is signed in. */
function useOpenSession() {
  const current = useSession()
  if (current.status !== 'open') throw new Error('This screen needs an open session.')
  return current
}

export function useClient(): Client {
  return useOpenSession().client
}

/** The signed-in user, as the user query has him now. */
export function useUser(): User {
  const { user } = useOpenSession()
  return useQuery({ ...userQuery, initialData: user }).data ?? user
}
