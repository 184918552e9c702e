import type { Core } from '../../core/core.ts'
import { mailMember } from '../../core/memberLetters.ts'
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

/** Tells an account of a sign-in, if its owner wants to know: in its notifications, and of a new browser also by mail. */
export async function tellSignIn(tx: Tx, core: Core, userId: string, signIn: NewSignIn): Promise<void> {
  const { loginNotifications } = await preferencesOf(tx, userId)
  if (!loginNotifications) return
  const { sessionId, browser: device, address, isNews } = signIn
  await addNotification(tx, core, userId, { kind: 'signed_in', sessionId, device, address, isNews })
  if (!isNews || !core.mail.configured) return
  const { email } = await getUser(tx, userId)
  const text = letterOf(signIn, core.clock.now())
  tx.afterCommit(() =>
    mailMember(core, { to: email, subject: 'New sign-in to your Privity account', text, account: userId }),
  )
}
