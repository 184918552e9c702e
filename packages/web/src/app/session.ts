import { useQuery, queryOptions } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import type { Client } from '@privity/client'
import { createStore } from '@privity/client/store'
import type { SignedInUser, User } from '@privity/contract/session'
import { dismissToast, toast } from '../ui/toast/toastStore.ts'
import { useStore } from '../ui/useStore.ts'
import { isCallError } from './callError.ts'
import { followPreferences } from './preferences/query.ts'
import { queryClient } from './queryClient.ts'
import { signedOutMark } from './screens/Page.tsx'
import { coreTexts } from './texts.ts'
import { timeToLock } from './lockTime.ts'
import { removeAppearance } from './appearance.ts'
import { createTabText } from '../browser/sessionStorageText.ts'

const minute = 60_000

async function getUser(): Promise<User | SignedInUser | null> {
  const response = await fetch('/api/user', { credentials: 'include' })
  if (response.status === 401) return null
  if (!response.ok) throw new Error(`HTTP error! status: ${response.status}`)
  return (await response.json()) as SignedInUser
}

/** The signed-in user; null for a visitor. Plain fetch, so that a visitor's first screen need not load the client. */
export const userQuery = queryOptions({
  queryKey: ['/api/user'],
  queryFn: getUser,
  staleTime: 5 * minute,
  gcTime: 10 * minute,
})

/** The reason why this tab's session ended or could not be opened, kept until it is dismissed or a session opens. */
export const sessionEnd = createTabText('privity.sessionEnd')

/**
 * `offline`: the server could not be asked for the session. `locked`: the session is valid, but this browser has no
 * keys until the password unlocks them. `factorMissing`: the organization requires a second factor, and the user
 * has none.
 */
export type Session =
  | { status: 'checking' }
  | { status: 'offline'; retry: () => Promise<void> }
  | { status: 'signedOut' }
  | { status: 'locked'; user: User; client: Client }
  | { status: 'factorMissing'; user: User; client: Client }
  | { status: 'open'; user: User; client: Client }

const session = createStore<Session>({ status: 'checking' })
/**
 * The session that the build renders pages for. Prerendering and hydration share this object: React would treat another
 * one as a change and discard the rendered page if that page's code is not loaded yet.
 */
const visitor: Session = { status: 'signedOut' }
/** Session held back from the router while a new account's recovery key is shown. */
let heldBack: Session | undefined
let holding = false
/** Id of the member whose session the client has. */
let memberId: string | undefined
const leftBehind = new Set<() => void>()
let client: Promise<Client> | undefined
/** True during the check of the session; meanwhile a signed-out state of the client is not published. */
let starting = false

function change(next: Session): void {
  if (holding) {
    heldBack = next
    return
  }
  if ('user' in next) markMember(true)
  else if (next.status === 'signedOut') markMember(false)
  if ('user' in next) sessionEnd.set(undefined)
  if (next.status === 'signedOut') removeAppearance()
  session.set(next)
}

/**
 * Stores whether a member uses this browser, so that public/theme.js hides the landing page from members while the
 * session is checked. An unanswered check changes nothing.
 */
function markMember(member: boolean): void {
  try {
    if (member) localStorage.setItem('privity.member', '')
    else localStorage.removeItem('privity.member')
  } catch {
    // Storage is blocked: a member may see the landing page briefly.
  }
}

/** Whether the last check in this browser found a member; false where storage is blocked. */
function hadMember(): boolean {
  try {
    return localStorage.getItem('privity.member') !== null
  } catch {
    return false
  }
}

export const isVisitor = (): boolean => session.get().status === 'signedOut'

/** Loads the client with its cryptography on first use; one client per tab. */
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
    if (state.status === 'locked') dismissToast()
    if (memberId !== undefined && (nextId !== memberId || state.status === 'locked')) forgetMember()
    memberId = nextId
    if ('user' in state) {
      queryClient.setQueryData(userQuery.queryKey, state.user)
      change({ ...state, client: made })
    } else if (!starting) change(state)
  }
  made.account.state.subscribe(publish)
  followPreferences(made)
  void import('./reload/reload.ts').then(({ handOverAtLeaving }) => handOverAtLeaving(made)).catch(console.error)
  made.on('user_changed', () => void queryClient.invalidateQueries(userQuery))
  made.on('signed_out', ({ reason, because }) => leave(reason === 'ended', because))
  return made
}

/** Registers `forget`, called when a member's session ends or another member signs in without a page load. */
export const whenMemberLeaves = (forget: () => void): void => void leftBehind.add(forget)

/**
 * Clears all data of the member who leaves or locks: a tab outlives a session, and the next person must not see it.
 */
function forgetMember(): void {
  queryClient.clear()
  for (const forget of leftBehind) forget()
}

/**
 * After the session ended: clears its data and toasts, and shows the landing page; the sign-in page if the user ended
 * it by removing a browser, here or in another one.
 */
function leave(byServer: boolean, because: string | undefined): void {
  // Also for a tab that is signed out already, as it is by new keys that do not open.
  if (because) sessionEnd.set(because)
  if (!('user' in session.get())) return
  const isRemoval = sessionEnd.get()?.startsWith('browser_removed')
  forgetMember()
  dismissToast()
  navigate(isRemoval ? '/auth' : '/', { replace: true })
  if (because || !byServer) return
  toast({ title: coreTexts.sessionEnded, description: coreTexts.sessionEndedHere, tone: 'info' })
}

/** A proxy returns 502 or 504 if the server is down. */
const gateway = /\b50[24]$/

/** Whether the server could not be reached, as opposed to a refusal. */
function isOffline(error: unknown): boolean {
  if (isCallError(error)) return error.code === 'OFFLINE' || error.status === 502 || error.status === 504
  return error instanceof TypeError || (error instanceof Error && gateway.test(error.message))
}

/**
 * Finds out who is signed in. A failed check is logged and treated as signed out; `sessionEnd` tells if the server was
 * full. If the server is unreachable, the session becomes `offline` and can be retried. `fetchMemberPage` runs in
 * parallel with loading the client, so that a member waits for the slower of the two instead of both.
 */
export async function startSession(fetchMemberPage: () => Promise<unknown>): Promise<void> {
  if (starting) return
  starting = true
  // Each check finds out anew whether the server is full.
  if (sessionEnd.get() === 'STORAGE_FULL') sessionEnd.set(undefined)
  const next = await findSession(fetchMemberPage)
  starting = false
  if (next) change(next)
}

/** Returns undefined if the client has already published the session. */
async function findSession(fetchMemberPage: () => Promise<unknown>): Promise<Session | undefined> {
  try {
    const user = await queryClient.fetchQuery(userQuery)
    if (!user) {
      // The session ended while no page was open: the client removes its keys.
      if (hadMember()) await (await loadClient()).account.start()
      return visitor
    }
    fetchMemberPage().catch((error: unknown) => console.error(error))
    const { account } = await loadClient()
    await account.start(user, { isLockDue: timeToLock() <= 0 })
    return account.state.get().status === 'signedOut' ? visitor : undefined
  } catch (error) {
    if (isOffline(error) && (await openWithoutServer())) return undefined
    if (isOffline(error)) return { status: 'offline', retry: () => startSession(fetchMemberPage) }
    // A reload opens the session once the server has space again.
    if (isCallError(error) && error.code === 'STORAGE_FULL') sessionEnd.set(error.code)
    console.error(error)
    return visitor
  }
}

/** Goes on from the page before. Not if nobody has used this browser for so long that it opens locked. */
async function openWithoutServer(): Promise<boolean> {
  if (timeToLock() <= 0) return false
  return (await import('./reload/reload.ts')).openReloaded(loadClient)
}

/** Holds back a new session from the screens until `releaseSession`. */
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
 * Clears loaded data, ends the session and shows the landing page. A full page load leaves nothing in memory; if the
 * server cannot be reached, the router navigates instead.
 */
export async function signOut(): Promise<void> {
  queryClient.clear()
  try {
    const { account } = await loadClient()
    if (account.isTransient()) sessionStorage.clear()
    await account.signOut()
    signedOutMark.set('')
    location.assign('/')
  } catch (error) {
    console.error(error)
    navigate('/', { replace: true })
    toast({ title: coreTexts.signedOutHere, description: coreTexts.sessionNotEnded, tone: 'warning' })
  }
}

/** After the account's deletion: clears loaded data and shows the landing page. */
export function leaveDeleted(): void {
  queryClient.clear()
  navigate('/', { replace: true })
}

export function useSession(): Session {
  return useStore(session, () => visitor)
}

/** For screens that are rendered only with an open session. */
function useOpenSession() {
  const current = useSession()
  if (current.status !== 'open') throw new Error('This screen needs an open session.')
  return current
}

export function useClient(): Client {
  return useOpenSession().client
}

/** The signed-in user, updated with the user query. */
export function useUser(): User {
  const { user } = useOpenSession()
  return useQuery({ ...userQuery, initialData: user }).data ?? user
}
