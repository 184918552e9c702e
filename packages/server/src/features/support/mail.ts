import type { Core } from '../../core/core.ts'
import type { SupportRequestRow } from '../../core/database/tables/founder.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { type Author, claimRequest, markMailed, selectNotMailed } from './queries.ts'

/** Mailing is retried for this long; after that a request is only stored. */
const retryPeriodMs = 7 * 24 * 60 * 60_000
const batchSize = 20

/** Ids that this process is mailing: the job and a new request must not mail one twice. */
const mailingByServer = new WeakMap<Core['mail'], Set<string>>()

/** Quotes a display name (RFC 5322), so that nobody mistakes it for the address. */
const quoteName = (name: string) => `"${name.replaceAll(/[<>"\\]/g, '')}"`

/** Breaks encoded words (RFC 2047), which mail programs show as other characters: direction marks, or a header. */
const breakEncodedWords = (text: string) => text.replaceAll('=?', '= ?')

/** Marks each line as quoted, so that nobody mistakes one for a line of the email itself. */
const quoteLines = (text: string) => text.split(/\r\n|[\r\n\u2028\u2029]/u).map((line) => `> ${line}`)

function toMail({ secrets, config }: Core, to: string, row: SupportRequestRow & Author) {
  const subject = secrets.decryptAtRest(row.subject)
  return {
    to,
    replyTo: row.email,
    subject: `[${row.reference}] ${breakEncodedWords(subject)}`,
    messageId: `support-${row.id}@${config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).hostname}`,
    text: [
      `Reference: ${row.reference}`,
      `From: ${quoteName(`${row.first_name} ${row.last_name}`)} (${row.username}) <${row.email}>`,
      `Category: ${row.category}`,
      `Priority: ${row.priority}`,
      `Subject: ${subject}`,
      '',
      ...quoteLines(secrets.decryptAtRest(row.message)),
      '',
    ].join('\n'),
  }
}

/** Returns false if another process mails the request. */
async function claim({ db, processes: { id: process } }: Core, id: string): Promise<boolean> {
  return process === undefined || (await db.write((tx) => claimRequest(tx, id, process))).changes > 0
}

/**
 * Mails stored requests that were not mailed yet, including those left by a stopped server or a mail server that was
 * down.
 */
export async function mailNewRequests(core: Core): Promise<void> {
  const { background, config, mail, clock, db, log, processes } = core
  const to = config.supportEmail
  if (to === undefined || !mail.configured) return
  const mailing = mailingByServer.get(mail) ?? new Set<string>()
  mailingByServer.set(mail, mailing)
  const since = clock.now() - retryPeriodMs
  try {
    for (const row of await selectNotMailed(db.read, since, batchSize + mailing.size, processes.id ?? '')) {
      if (mailing.has(row.id)) continue
      mailing.add(row.id)
      if (!(await claim(core, row.id))) {
        mailing.delete(row.id)
        continue
      }
      const message = toMail(core, to, row)
      background.run('a mailed support request was not marked', async () => {
        try {
          if (await mail.send(message)) await db.write((tx) => markMailed(tx, row.id, clock.now()))
        } finally {
          mailing.delete(row.id)
        }
      })
    }
  } catch (error) {
    log.error({ err: error }, 'support requests were not mailed')
  }
}

export const supportJobs: Job[] = [
  { name: 'mail support requests', every: 60 * 60_000, inEveryProcess: true, run: mailNewRequests },
]
