import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { role as roleForm, type Role } from '@privity/contract/session'
import type { Config } from '../core/config/types.ts'
import { writeOrganizationExport, takeSnapshot } from '../features/auditLogs/organizationExportWriter.ts'
import { fingerprintOf } from '../auditVerifier/signatures.ts'
import { backUp } from './backup.ts'
import { checkLog } from './auditCheck.ts'
import { list, listable, type Listed, toTable } from './lists.ts'
import { type Operator, Refusal, WrongUse } from './operator.ts'
import {
  createOrganization,
  invite,
  type Invited,
  renewFirstInvitation,
  resetFactor,
  resetFounderLock,
  resetLock,
  setRole,
} from './users.ts'
import { checkBackup, restore } from './restore.ts'
import { rotateSecret } from './secretRotation.ts'

export interface Options {
  organization?: string | undefined
  role?: string | undefined
  days?: string | undefined
  /** Replaces a username. */
  founder?: boolean | undefined
}

/** The result for a person, and the one that --json prints. */
export interface CommandOutcome {
  text: string
  data: object
}

export interface Command {
  /** The name in lower case, the arguments, and the options in brackets. The command line is parsed by it. */
  usage: string
  summary: string
  /** Whether the server must be stopped; 'on SQLite': on PostgreSQL, running servers discard their caches instead. */
  needsStoppedServer?: true | 'on SQLite'
  run(operator: Operator, given: string[], options: Options): Promise<CommandOutcome>
}

/** Resolves paths against the caller's folder, because npm starts this in the project's folder. */
const pathOf = (given: string | undefined) => resolve(process.env['INIT_CWD'] ?? '.', given ?? '')

function toRole(text: string | undefined): Role {
  const parsed = roleForm.safeParse(text)
  if (!parsed.success) throw new WrongUse(`A role is one of ${roleForm.options.join(', ')}.`)
  return parsed.data
}

function toDays({ days = '7' }: Options): number {
  if (!/^([1-9]|[12]\d|30)$/.test(days)) throw new WrongUse('--days is a number from 1 to 30.')
  return Number(days)
}

const aboutLink = ({ organization, role, link, expiresAt }: Invited) =>
  `Invitation to ${organization} as ${role}, single use, until ${new Date(expiresAt).toISOString()}:\n${link}\nIt is shown only once.`

export const commands: Command[] = [
  {
    usage: 'list users|organizations|invitations|locks',
    summary: 'lists users, organizations, invitations or locks',
    async run(operator, [what = '']) {
      if (!listable.includes(what as Listed)) throw new WrongUse(`What to list: ${listable.join(', ')}.`)
      const rows = await list(operator, what as Listed)
      return { text: toTable(rows), data: { [what]: rows } }
    },
  },
  {
    usage: 'user create [--role ROLE] [--organization NAME] [--days N]',
    summary: 'creates a link for one new user; the account and its keys are created in their browser',
    async run(operator, _given, options) {
      const invited = await invite(operator, options.organization, toRole(options.role ?? 'user'), toDays(options))
      return { text: aboutLink(invited), data: invited }
    },
  },
  {
    usage: 'invitation renew',
    summary: 'creates a new invitation for the first administrator, for 7 days, as long as there is no Super Admin',
    async run(operator) {
      const invited = await renewFirstInvitation(operator)
      return { text: aboutLink(invited), data: invited }
    },
  },
  {
    usage: 'role set USERNAME ROLE',
    summary: 'sets the role to user, org_admin or super_admin; ends the sessions of that user',
    needsStoppedServer: 'on SQLite',
    async run(operator, [username = '', role]) {
      const set = await setRole(operator, username, toRole(role))
      const { before, after, sessionsEnded } = set
      return { text: `${set.username}: ${before} -> ${after}; ${sessionsEnded} sessions ended.`, data: set }
    },
  },
  {
    usage: 'factor reset USERNAME',
    summary: 'removes the second factors of a user who has lost them all; ends the sessions of that user',
    needsStoppedServer: 'on SQLite',
    async run(operator, [username = '']) {
      const reset = await resetFactor(operator, username)
      const text = `${reset.username} can sign in with the password alone; ${reset.sessionsEnded} sessions ended.`
      return { text, data: reset }
    },
  },
  {
    usage: 'lock reset USERNAME|--founder',
    summary: 'lets a user, or the founder, sign in again after too many failed attempts',
    async run(operator, [username = ''], { founder }) {
      if (founder === true) {
        const reset = await resetFounderLock(operator)
        return { text: `The founder: ${reset.locksEnded} counters of failed attempts reset.`, data: reset }
      }
      const reset = await resetLock(operator, username)
      return { text: `${reset.username}: ${reset.locksEnded} counters of failed attempts reset.`, data: reset }
    },
  },
  {
    usage: 'organization create NAME TYPE [--days N]',
    summary: 'creates an organization and a link for its first administrator',
    async run(operator, [name = '', type = ''], options) {
      const made = await createOrganization(operator, name, type, toDays(options))
      return { text: `Organization ${made.organizationId} created.\n${aboutLink(made)}`, data: made }
    },
  },
  {
    usage: 'backup DIR',
    summary: 'backs up database and files, consistent while the server runs; without the secret',
    async run(operator, [folder]) {
      const made = await backUp(operator, pathOf(folder))
      const { databaseBytes, objects, missing } = made
      const lost = missing === 0 ? '' : ` Not included, because they are missing in the storage: ${missing} files.`
      const text = `Backup in ${made.folder}: a database of ${databaseBytes} bytes, ${objects} files.${lost} The secret is not included: store it separately.`
      return { text, data: made }
    },
  },
  {
    usage: 'secret rotate',
    summary: 'sets a new server secret (NEW_SERVER_SECRET where SERVER_SECRET is set); everyone has to sign in again',
    needsStoppedServer: true,
    async run(operator) {
      const rotated = await rotateSecret(operator, operator.config.newServerSecret)
      const then =
        operator.config.serverSecret === undefined
          ? 'The file server-secret is new: back it up.'
          : 'Set SERVER_SECRET to the new one now.'
      const { resealed, sessionsEnded } = rotated
      return { text: `${resealed} values re-encrypted, ${sessionsEnded} sessions ended. ${then}`, data: rotated }
    },
  },
  {
    usage: 'audit key',
    summary: 'prints the fingerprint of the key that signs the audit log',
    async run({ auditKey: { publicKey } }) {
      const fingerprint = fingerprintOf(publicKey)
      return { text: fingerprint, data: { fingerprint, publicKey } }
    },
  },
  {
    usage: 'audit check',
    summary: 'verifies the whole audit log in the database',
    async run({ db, auditKey, clock }) {
      const verdict = await checkLog(db, auditKey, clock.now())
      if (verdict?.problem !== undefined) throw new Refusal(`The audit log is not whole: ${verdict.problem.sentence}`)
      const { entries = 0, heads = 0 } = verdict ?? {}
      return { text: `Whole: ${entries} entries, ${heads} signed heads.`, data: { entries, heads } }
    },
  },
  {
    usage: 'audit export FILE',
    summary: 'exports the whole audit log of all organizations, with its proof',
    async run({ db, auditKey, clock }, [file]) {
      const path = pathOf(file)
      const snapshot = await takeSnapshot(db.read, null, clock.now())
      const lines = Readable.from(writeOrganizationExport(db.read, auditKey, snapshot), { objectMode: false })
      await pipeline(lines, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      return { text: `${snapshot.entries} entries in ${path}.`, data: { file: path, entries: snapshot.entries } }
    },
  },
]

/** Names the place of the restored database and files. DATABASE_URL is not shown, because it holds a password. */
export function restoredInto({ dataDir, postgres, s3 }: Pick<Config, 'dataDir' | 'postgres' | 's3'>): string {
  const database = postgres === undefined ? dataDir : 'the database of DATABASE_URL'
  const files = s3 === undefined ? dataDir : `the bucket ${s3.bucket}`
  return database === files ? dataDir : `${database}, the files into ${files},`
}

/** A command on a backup, which opens no existing data. */
export interface BackupCommand extends Omit<Command, 'run'> {
  run(config: Config, given: string[]): Promise<CommandOutcome>
}

export const backupCommands: BackupCommand[] = [
  {
    usage: 'backup check DIR',
    summary:
      'verifies that a backup is whole and belongs to the server secret in DATA_DIR or SERVER_SECRET; restores nothing',
    async run(config, [folder]) {
      const checked = await checkBackup(config, pathOf(folder))
      const { madeAt, objects, auditEntries } = checked
      const text = `Whole, as of ${madeAt}: ${objects} files, ${auditEntries} entries of the audit log verified. Nothing was restored.`
      return { text, data: checked }
    },
  },
  {
    usage: 'restore DIR',
    summary: 'restores a backup into an empty data folder and verifies it; put server-secret there first',
    needsStoppedServer: true,
    async run(config, [folder]) {
      const restored = await restore(config, pathOf(folder))
      const { madeAt, objects, auditEntries, sessionsEnded, invitationsRevoked, approvalsClosed } = restored
      const text =
        `Restored into ${restoredInto(config)} as of ${madeAt}: ${objects} files, ${auditEntries} entries of the audit log verified, ` +
        `${sessionsEnded} sessions ended, ${invitationsRevoked} unused invitations revoked, ${approvalsClosed} approvals of files closed.\n` +
        'Passwords, second factors, recovery codes, roles, suspensions and deletions are as they were then: repeat those made since.\n' +
        'Its servers send no email, text message or push until they are started once with RESTORED_MAILS=1.'
      return { text, data: restored }
    },
  },
]
