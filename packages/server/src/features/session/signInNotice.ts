import { limits } from '@privity/contract/limits'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import { emailTexts, mailMember } from '../../core/mail/memberMail.ts'
import { addNotification } from '../notifications/notifications.ts'
import { preferencesOf } from '../preferences/preferences.ts'
import { failureTypes } from './locks.ts'
import { getUser } from './users.ts'

export interface NewSignIn {
  sessionId: string
  /** The display name of the browser: "Firefox on Linux". */
  browser: string
  address: string
  /** Whether the account has never been used in this browser before. */
  isNew: boolean
}

interface Failures {
  count: number
  /** Failures from other addresses than the sign-in: hardly typing mistakes. */
  elsewhere: number
}

/**
 * Counts failed sign-ins since the previous sign-in, or since the password was changed. Those that a session has
 * settled count too: its cookie may be stolen, and a sign-in proves the password.
 */
async function countFailuresBefore(db: Reader, userId: string, address: string, now: number): Promise<Failures> {
  // A later date was written while the clock was ahead: it would hide all failures until then, or tell them again.
  const latest = now + limits.clockTolerance
  const last = await db.get<{ at: number | null }>(
    'select max(last_seen_at) as at from known_devices where user_id = ? and last_seen_at <= ?',
    [userId, latest],
  )
  const found = await db.get<Failures>(
    `select count(*) as count, count(case when address is distinct from ? then 1 end) as elsewhere
     from security_events where user_id = ? and created_at > ? and created_at <= ? and event_type in ${failureTypes}`,
    [address, userId, last?.at ?? 0, latest],
  )
  return found ?? { count: 0, elsewhere: 0 }
}

/**
 * Notifies an account of a sign-in and of the failures before it, if its owner wants that: in its notifications, and by
 * mail if the browser is new or a failure came from another address.
 */
export async function notifySignIn(tx: Tx, core: Core, userId: string, signIn: NewSignIn): Promise<void> {
  const { loginNotifications, language } = await preferencesOf(tx, userId)
  if (!loginNotifications) return
  const { sessionId, browser: device, address, isNew } = signIn
  const { count: failures, elsewhere } = await countFailuresBefore(tx, userId, address, core.clock.now())
  const isNews = isNew || failures > 0
  await addNotification(tx, core, userId, { kind: 'signed_in', sessionId, device, address, isNews, failures })
  if ((!isNew && elsewhere === 0) || !core.mail.configured) return
  const { email } = await getUser(tx, userId)
  const facts = { browser: device, address, isNew, failures, at: core.clock.now() }
  const mail = { to: email, ...emailTexts[language].signIn(facts), account: userId }
  tx.afterCommit(() => mailMember(core, mail))
}
