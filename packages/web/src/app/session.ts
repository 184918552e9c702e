import { useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { dismissToast, toast } from '../ui/toast/toastStore.ts'
import { isCallError } from './callError.ts'
import { followPreferences } from './preferencesQuery.ts'
import { queryClient } from './queryClient.ts'
import { sessionEnd } from './sessionEnd/sessionEnd.ts'
import { coreTexts } from './texts.ts'
import { forgetLook } from './appearance.ts'
import { userQuery } from './userQuery.ts'

/**
 * `offline`: no answer came to the question who is signed in. `locked`: the session is good, but this browser no
 * longer has the keys; the password opens them. `factorMissing`: the organization requires a second factor, and there
 * is none yet.
 */
export type Session =
  | { status: 'checking' }
  | { status: 'offline'; retry: () => Promise<void> }
  | { status: 'signedOut' }
  | { status: 'locked'; user: User; client: Client }
  | { status: 'factorMissing'; user: User; client: Client }
  | { status: 'open'; user: User; client: Client }

let session: Session = { status: 'checking' }
/**
 * Whom the build renders pages for. One value for both: to React another one would be a change, for which it throws the
 * rendered page away wherever the code of that page is not there yet.
 */
const visitor: Session = { status: 'signedOut' }
/** While the recovery key is being shown, the new account's session is kept back from the router. */
let heldBack: Session | undefined
let holding = false
const listeners = new Set<() => void>()
/** Whose session the client has, if anybody's. */
let memberId: string | undefined
const leftBehind = new Set<() => void>()
let client: Promise<Client> | undefined
/** While it is being asked who is signed in: a question that was not answered is not an answer. */
let starting = false

function change(next: Session): void {
  if (holding) {
    heldBack = next
    return
  }
  session = next
  if ('user' in next) markMember(true)
  else if (next.status === 'signedOut') markMember(false)
  if ('user' in next) sessionEnd.set(undefined)
  if (next.status === 'signedOut') forgetLook()
  for (const listener of listeners) listener()
}

/**
 * Read by public/theme.js: a member is not shown the landing page while the server is asked who is signed in. A question
 * without an answer says nothing: leaving a page before it came does not make a visitor a member.
 */
function markMember(member: boolean): void {
  try {
    if (member) localStorage.setItem('privity.member', '')
    else localStorage.removeItem('privity.member')
  } catch {
    // a storage that is closed: the landing page may be seen for a moment
  }
}

export const isVisitor = (): boolean => session.status === 'signedOut'

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
    const nextId = 'user' in state ? state.user.id : undefined
    if (memberId !== undefined && nextId !== memberId) forgetMember()
    memberId = nextId
    if ('user' in state) {
      queryClient.setQueryData(userQuery.queryKey, state.user)
      change({ ...state, client: made })
    } else if (!starting) change(state)
  }
  made.account.state.subscribe(publish)
  followPreferences(made)
  made.on('user_changed', () => void queryClient.invalidateQueries(userQuery))
  made.on('signed_out', ({ reason, because }) => leave(reason === 'ended', because))
  return made
}

/** Calls `forget` when a member's session is over, or another member's takes its place without a new page. */
export const whenMemberLeaves = (forget: () => void): void => void leftBehind.add(forget)

/** A tab outlives the session of a member: nothing that was loaded or said for one is there for the next. */
function forgetMember(): void {
  queryClient.clear()
  for (const forget of leftBehind) forget()
}

/** What a session that is over leaves behind: nothing loaded or said, and the landing page. */
function leave(byServer: boolean, because: string | undefined): void {
  if (!('user' in session)) return
  forgetMember()
  dismissToast()
  navigate('/', { replace: true })
  if (because) sessionEnd.set(because)
  else if (byServer) toast({ title: coreTexts.sessionEnded, description: coreTexts.sessionEndedHere, tone: 'info' })
}

/** What a proxy answers for a server that is down. */
const gateway = /\b50[24]$/

/** No answer came, as against one that refuses. */
function isOffline(error: unknown): boolean {
  if (isCallError(error)) return error.code === 'OFFLINE' || error.status === 502 || error.status === 504
  return error instanceof TypeError || (error instanceof Error && gateway.test(error.message))
}

/**
 * Asks who is signed in. A failed check is treated as signed out and only logged; where the server cannot be
 * reached nothing is known, which is a state of its own with a way to ask again. `fetchMemberPage` is begun beside
 * the client, so that a member waits for the longer of the two and not for both.
 */
export async function startSession(fetchMemberPage: () => Promise<unknown>): Promise<void> {
  if (starting) return
  starting = true
  const next = await findSession(fetchMemberPage)
  starting = false
  if (next) change(next)
}

/** Undefined where the client has told who is signed in. */
async function findSession(fetchMemberPage: () => Promise<unknown>): Promise<Session | undefined> {
  try {
    const user = await queryClient.fetchQuery(userQuery)
    if (!user) return visitor
    fetchMemberPage().catch((error: unknown) => console.error(error))
    const { account } = await loadClient()
    await account.start(user)
    return account.state.get().status === 'signedOut' ? visitor : undefined
  } catch (error) {
    if (isOffline(error)) return { status: 'offline', retry: () => startSession(fetchMemberPage) }
    console.error(error)
    return visitor
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

/** After one's account was deleted: nothing loaded stays, and the landing page is shown. */
export function leaveDeleted(): void {
  queryClient.clear()
  navigate('/', { replace: true })
}

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => session,
    () => visitor,
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
