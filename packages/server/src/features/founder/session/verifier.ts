import { argon2, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '@privity/contract/errors'
import type { FounderSession } from '@privity/contract/founder/session'
import type { Core } from '../../../core/core.ts'
import { registryTimes } from '../../../core/database/processHeartbeat.ts'
import type { Reader, Tx } from '../../../core/database/types.ts'
import { resetFounderLocks } from '../../session/locks.ts'

/** Verifies the founder's password: the salt for browsers, and a hash of the secret that they derive with it. */
export interface Verifier {
  /** 16 bytes, base64url. */
  salt: string
  hash: string
  /** Set for a password that the first start generated. */
  isGenerated?: true
  /** Until that password is printed: the process that generated it, or '' if there can be only one. */
  unprintedBy?: string
}

/** Derives the secret that a browser sends instead of the founder's password. */
export type DeriveFounderSecret = (password: string, salt: string) => Promise<string>

const key = 'founder_verifier'
const compute = promisify(argon2)
const cost = { memory: 65_536, passes: 3, parallelism: 1, tagLength: 32 }

/** The canonical encoding of a label without fields (docs/protocol.md). */
const info = Buffer.from('\x14privity/founder-auth\x01', 'latin1')

/**
 * The same derivation as in browsers (e2ee/founder.ts; a test compares the two). Turns a password from the environment,
 * or one generated at the first start, into the secret that browsers will send.
 */
export const deriveFounderSecret: DeriveFounderSecret = async (password, salt) => {
  const nonce = createHash('sha256').update('privity/founder/v1').update(Buffer.from(salt, 'base64url')).digest()
  const message = password.toWellFormed().normalize('NFKC')
  const master = await compute('argon2id', { ...cost, message, nonce })
  return Buffer.from(hkdfSync('sha256', master, '', info, 32)).toString('base64url')
}

export async function readVerifier(db: Reader): Promise<Verifier> {
  const verifier = await findVerifier(db)
  if (verifier === undefined) throw new Error('there is no founder yet')
  return verifier
}

async function findVerifier(db: Reader): Promise<Verifier | undefined> {
  const row = await db.get<{ value: string }>('select value from settings where key = ?', [key])
  return row === undefined ? undefined : (JSON.parse(row.value) as Verifier)
}

export const writeVerifier = (tx: Tx, verifier: Verifier) =>
  tx.run('insert into settings (key, value) values (?, ?) on conflict (key) do update set value = excluded.value', [
    key,
    JSON.stringify(verifier),
  ])

/** Whether the environment sets the password: a change in the console would not outlast a restart. */
export const isPasswordConfigured = ({ founder }: Core['config']): boolean => founder.password !== undefined

/**
 * Whether the founder still has the password that the first start printed, into a terminal and perhaps into logs. False
 * in a demo, which prints passwords at each start, and if the environment sets the password.
 */
export async function isPasswordGenerated(db: Reader, config: Core['config']): Promise<boolean> {
  if (config.demo || isPasswordConfigured(config)) return false
  return (await findVerifier(db))?.isGenerated === true
}

/** With the share of this session, which no other gets. */
export async function describeSession(core: Core, id: string): Promise<FounderSession> {
  const { config, db, secrets, isFounderPasswordGenerated } = core
  const row = await db.read.get<{ key_share: string }>('select key_share from founder_sessions where id = ?', [id])
  if (row === undefined) throw new AppError('NOT_FOUNDER')
  return {
    isFounder: true,
    username: config.founder.username,
    session: { id, keyShare: secrets.decryptAtRest(row.key_share) },
    ...((await isFounderPasswordGenerated()) && { mustReplacePassword: true }),
  }
}

/**
 * Replaces the password: sessions, known browsers and sign-ins under way of the old one end. Returns false if another
 * process that starts at the same moment was first.
 */
async function replacePassword(
  { config, db, passwords, processes }: Core,
  before: Verifier | undefined,
  password: string,
  derive: DeriveFounderSecret,
): Promise<boolean> {
  const salt = randomBytes(16).toString('base64url')
  const hash = await passwords.hash(await derive(password, salt))
  const isGenerated = config.founder.password === undefined
  return db.write(async (tx) => {
    if ((await findVerifier(tx))?.hash !== before?.hash) return false
    await writeVerifier(tx, { salt, hash, ...(isGenerated && { isGenerated: true, unprintedBy: processes.id ?? '' }) })
    for (const table of ['founder_sessions', 'founder_devices', 'founder_tickets']) await tx.run(`delete from ${table}`)
    await resetFounderLocks(tx)
    return true
  })
}

/** Marks a password that this process has generated as printed, so that later starts keep it. */
export async function markPasswordPrinted({ db, processes }: Core): Promise<void> {
  const isOwn = async (from: Reader) => (await readVerifier(from)).unprintedBy === (processes.id ?? '')
  if (!(await isOwn(db.read))) return
  await db.write(async (tx) => {
    // The founder may have replaced it meanwhile.
    if (!(await isOwn(tx))) return
    const { unprintedBy: _printed, ...verifier } = await readVerifier(tx)
    await writeVerifier(tx, verifier)
  })
}

/** Whether a start that failed since has generated the password: no process that runs is about to print it. */
const isLost = ({ unprintedBy }: Verifier, { processes }: Core): boolean =>
  unprintedBy !== undefined && !processes.otherIds().has(unprintedBy)

/** A process that was killed before it printed the password counts as running until its heartbeats are missed. */
const unprintedWarning =
  "another process has made the founder's password and not printed it yet: if it never does, start this one again " +
  `after ${registryTimes.gone / 1000} seconds, and it will make and print a new password`

/**
 * Applies FOUNDER_PASSWORD if it has changed; without it, generates a password at the first start. Returns a generated
 * password, to be printed once.
 */
export async function prepareFounder(core: Core, derive: DeriveFounderSecret): Promise<string | undefined> {
  const stored = await findVerifier(core.db.read)
  const configured = core.config.founder.password
  if (stored !== undefined) {
    if (configured === undefined && !isLost(stored, core)) {
      if (stored.unprintedBy !== undefined) core.log.warn(unprintedWarning)
      return undefined
    }
    if (configured !== undefined && (await core.passwords.verify(await derive(configured, stored.salt), stored.hash)))
      return undefined
  }
  const password = configured ?? randomBytes(18).toString('base64url')
  const hasReplaced = await replacePassword(core, stored, password, derive)
  return configured === undefined && hasReplaced ? password : undefined
}
