import type { Endpoint } from '@privity/contract/endpoint'
import { session as contract } from '@privity/contract/session'
import type { Call } from '../transport/call.ts'

/** Finds out to whom the cookie belongs: to nobody (the 401 signs out), or to a member. Other tabs may change it. */
export interface SessionCheck {
  /** Opens the account of another member who signed in in another tab. Throws if the server does not say who it is. */
  recheck(): Promise<void>
  /** After a 401: whether the open account is signed in all the same, with a newer cookie than the refused call had. */
  isSignedIn(refused: Endpoint): Promise<boolean>
}

export function createSessionCheck(deps: {
  call: Call
  /** The member whose keys are open, unless the end of the session is expected. */
  openUserId(): string | undefined
  openAccount(): Promise<void>
  signOut(): void
}): SessionCheck {
  const { call, openUserId, openAccount, signOut } = deps

  /** Resolves to whether the cookie belongs to the member whose keys are open. */
  async function check(): Promise<boolean> {
    const { id } = await call(contract.getUser, {})
    const isOther = id !== (openUserId() ?? id)
    if (isOther) await openAccount()
    return !isOther
  }

  return {
    async recheck() {
      // Unlike getUser, this call is refused if a required second factor is missing, as the socket is.
      if (await check()) await call(contract.listSessions, {})
    },
    async isSignedIn(refused) {
      if (refused !== contract.getUser && openUserId() !== undefined) return check().catch(() => false)
      signOut()
      return false
    },
  }
}
