import type { Core } from '../../core/core.ts'
import type { SupportRequestRow } from '../../core/database/tables/founder.ts'
import { type Author, claimRequest, markMailed, selectNotMailed } from './queries.ts'

/** Mailing is retried for this long (ms); after that a request stays where it is stored. */
const keepTrying = 7 * 24 * 60 * 60_000
const batch = 20

/** Ids that this process is mailing: the job and a new request must not mail one twice. */
const underWay = new WeakMap<Core['mail'], Set<string>>()

/** Quotes a display name (RFC 5322), so that it cannot pass for an address beside it. */
const quoted = (name: string) => `"${name.replaceAll(/[<>"\\]/g, '')}"`

/** Marks each line as quoted, so that none passes for a line of the email itself. */
const cited = (text: string) => text.split(/\r\n|[\r\n\u2028\u2029]/u).map((line) => `> ${line}`)

function letterOf({ secrets, config }: Core, to: string, row: SupportRequestRow & Author) {
  const subject = secrets.openAtRest(row.subject)
  return {
    to,
    replyTo: row.email,
    subject: `[${row.reference}] ${subject}`,
    messageId: `support-${row.id}@${config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).hostname}`,
    text: [
      `Reference: ${row.reference}`,
      `From: ${quoted(`${row.first_name} ${row.last_name}`)} (${row.username}) <${row.email}>`,
      `Category: ${row.category}`,
      `Priority: ${row.priority}`,
      `Subject: ${subject}`,
      '',
      ...cited(secrets.openAtRest(row.message)),
      '',
    ].join('\n'),
  }
}

/** False if another process mails it. */
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
  const busy = underWay.get(mail) ?? new Set<string>()
  underWay.set(mail, busy)
  const since = clock.now() - keepTrying
  try {
    for (const row of await selectNotMailed(db.read, since, batch + busy.size, processes.id ?? '')) {
      if (busy.has(row.id)) continue
      busy.add(row.id)
      if (!(await claim(core, row.id))) {
        busy.delete(row.id)
        continue
      }
      const letter = letterOf(core, to, row)
      background.run('a mailed support request was not marked', async () => {
        try {
          if (await mail.send(letter)) await db.write((tx) => markMailed(tx, row.id, clock.now()))
        } finally {
          busy.delete(row.id)
        }
      })
    }
  } catch (error) {
    log.error({ err: error }, 'support requests were not mailed')
  }
}
