import { limits } from '@privity/contract/limits'
import type { Stopping } from '../../core/async/batches.ts'
import type { Core } from '../../core/core.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { emailTexts, mailMember } from '../../core/mail/memberMail.ts'
import { preferencesOfEach } from '../preferences/preferences.ts'
import { claimReminder, putReminderEnd, selectExpectant, selectReminderEnd } from './queries.ts'

/** How long before its end a message is announced: 8 hours, less where messages live for less than a day. */
const leadOf = (retention: number): number => Math.min(limits.reminderLead, Math.floor(retention / 3))

/** The expiries looked through in one query, after a time without a server. */
const maxSliceMs = 10 * 60_000

/** Mails those of these users who want it and have no push notifications, once until they are back. */
async function remind(core: Core, userIds: readonly string[], lead: number): Promise<void> {
  const { clock, db } = core
  for (const [userId, { emailNotifications, language }] of await preferencesOfEach(db.read, userIds)) {
    if (!emailNotifications) continue
    await db.write(async (tx) => {
      const claimed = await claimReminder(tx, userId, clock.now())
      if (claimed === undefined) return
      const mail = { to: claimed.email, ...emailTexts[language].messageWaiting(lead), account: userId }
      tx.afterCommit(() => mailMember(core, mail))
    })
  }
}

/** Reminds the recipients of the messages whose end has come so near since the last run. */
async function sendReminders(core: Core, stopping: Stopping): Promise<void> {
  const { clock, config, db, mail } = core
  if (!mail.configured) return
  const [now, lead] = [clock.now(), leadOf(config.retention)]
  const stored = await selectReminderEnd(db.read)
  // Without a run before, or after a clock that was ahead, everything that ends so soon is looked through.
  let after = stored > now + lead ? now : Math.max(stored, now)
  while (after < now + lead && !stopping()) {
    const until = Math.min(after + maxSliceMs, now + lead)
    await remind(
      core,
      (await selectExpectant(db.read, after, until)).map(({ user_id }) => user_id),
      lead,
    )
    await db.write((tx) => putReminderEnd(tx, until))
    after = until
  }
}

export const reminderJobs: Job[] = [{ name: 'remind of messages that expire soon', every: 10_000, run: sendReminders }]
