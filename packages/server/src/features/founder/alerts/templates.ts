import type { AlertType } from '@privity/contract/founder/alerts'
import type { Core } from '../../../core/core.ts'
import type { AlertRow } from '../../../core/database/tables/founder.ts'
import { selectUsername } from './queries.ts'
import { combinedSubject } from './queue.ts'

const titles: Record<AlertType, string> = {
  mass_signup: 'Mass signup',
  failed_logins: 'Failed logins',
  system_error: 'System error',
  flagged_message: 'Flagged message',
  account_locked: 'Account locked',
}

const sentences: Record<AlertType, string> = {
  mass_signup: 'Many accounts were created from one address in a short time.',
  failed_logins: 'There were many failed sign-ins.',
  system_error: 'Something went wrong inside the server.',
  flagged_message: 'A message was flagged or reported.',
  account_locked: 'An account was locked after failed sign-ins.',
}

/** Names of the server's parts. Alerts stored by earlier releases name no part. */
const parts: Record<string, string> = { database: 'database', objectStore: 'files', auditLog: 'audit log' }

/** Makes one line of any text, so that nothing in it can begin a header, a line or a tag of its own. */
const oneLine = (text: string) => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}<>]+/gu, ' ').slice(0, 200)

export interface AlertText {
  title: string
  sentence: string
  /** Labels with their values. */
  lines: [string, string][]
}

/** The subject of an alert, by its current name. */
export async function subjectText({ db, config }: Pick<Core, 'db' | 'config'>, subject: string): Promise<string> {
  const [kind = '', ...rest] = subject.split(' ')
  const name = rest.join(' ')
  if (subject === combinedSubject) return 'several others'
  if (subject === 'user founder') return oneLine(config.founder.username)
  if (kind === 'user') return oneLine((await selectUsername(db.read, name))?.username ?? 'a deleted account')
  if (kind === 'health') return parts[name] ?? 'database or files'
  return name === '' ? 'unknown' : oneLine(name)
}

const labelOf: Record<string, string> = { user: 'Account', address: 'Address', route: 'Call', health: 'Part' }

export async function describeAlert(core: Core, row: AlertRow): Promise<AlertText> {
  const { config } = core
  const prefix = { alert: '', digest: 'More of: ', test: 'Test: ' }[row.kind]
  const digest = `In the last 15 minutes this happened ${row.held_back} more ${row.held_back === 1 ? 'time' : 'times'}.`
  const test = 'This is a test sent from the founder console. Nothing has happened.'
  const lines: [string, string][] = []
  if (row.kind !== 'test')
    lines.push([labelOf[row.subject.split(' ')[0] as string] ?? 'About', await subjectText(core, row.subject)])
  if (row.address !== null && !row.subject.startsWith('address ')) lines.push(['Address', oneLine(row.address)])
  if (row.event_count !== null) lines.push(['Events', String(row.event_count)])
  if (row.kind === 'digest') lines.push(['Held back', String(row.held_back)])
  lines.push([
    'Time',
    new Date(row.created_at)
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z/, ' UTC'),
  ])
  if (config.publicUrl !== undefined) lines.push(['Console', `${config.publicUrl}/founder`])
  return {
    title: `${prefix}${titles[row.type]}`,
    sentence:
      row.kind === 'test' ? test : row.kind === 'digest' ? `${sentences[row.type]} ${digest}` : sentences[row.type],
    lines,
  }
}

export const emailText = ({ sentence, lines }: AlertText): string =>
  [sentence, '', ...lines.map(([label, text]) => `${label}: ${text}`), ''].join('\n')

/** Kept short: a text message of more than 160 characters is charged as several. */
export const smsText = ({ title, lines }: AlertText): string =>
  `Privity: ${title}. ${lines
    .filter(([label]) => label !== 'Console')
    .map(([label, text]) => `${label}: ${text}`)
    .join('. ')}`.slice(0, 300)
