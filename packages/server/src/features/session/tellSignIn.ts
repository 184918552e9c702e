import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/db.ts'
import { addNotification } from '../notifications/notifications.ts'
import { preferencesOf } from '../preferences/preferences.ts'
import { getUser } from './users.ts'

export interface NewSignIn {
  sessionId: string
  /** As people name it: "Firefox on Linux". */
  browser: string
  address: string
  /** Whether the account has not seen this browser before. */
  isNews: boolean
}

const letterOf = ({ browser, address }: NewSignIn, at: number) => `Your account was signed in to from a new browser.

Browser: ${browser}
Address: ${address}
Time:    ${new Date(at).toUTCString()}

If this was you, there is nothing to do. If not, sign in, end that session under Account Settings and change
your password. You can switch these letters off under Privity, Privacy & Security, Login notifications.
`

/** Nobody proves that an address is his: no account may have one flooded. */
function mayMail({ rates }: Core, userId: string): boolean {
  try {
    rates.take('signInLetter', userId)
    return true
  } catch {
    return false
  }
}

/** Tells an account of a sign-in, if its owner wants to know: in its notifications, and of a new browser also by mail. */
export async function tellSignIn(tx: Tx, core: Core, userId: string, signIn: NewSignIn): Promise<void> {
  const { loginNotifications } = await preferencesOf(tx, userId)
  if (!loginNotifications) return
  const { sessionId, browser: device, address, isNews } = signIn
  await addNotification(tx, core, userId, { kind: 'signed_in', sessionId, device, address, isNews })
  if (!isNews || !core.mail.configured) return
  const { email } = await getUser(tx, userId)
  const text = letterOf(signIn, core.clock.now())
  tx.afterCommit(() => {
    if (mayMail(core, userId)) void core.mail.send({ to: email, subject: 'New sign-in to your Privity account', text })
  })
}
