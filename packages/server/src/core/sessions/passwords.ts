import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '@privity/contract/errors'
import type { Secrets } from '../secrets/secrets.ts'
import type { Background } from '../async/background.ts'
import type { Db, Reader } from '../database/types.ts'

/**
 * Hashes passwords with Argon2id and a pepper from the server's secrets. At most two run concurrently, because each
 * occupies a thread of the pool that also syncs files. The queue is bounded: a flood of sign-ins is refused with
 * UNAVAILABLE instead of slowing everyone down.
 */
export interface Passwords {
  hash(password: string): Promise<string>
  verify(password: string, stored: string): Promise<boolean>
  /**
   * Returns the hash to verify against for a name without an account. Costs are distributed over names as over
   * accounts, and one name always has the same, so the duration of a check does not reveal which names are taken.
   */
  decoyHash(name: string): string
  /** Sets the costs in use among accounts. Returns whether some are former ones. */
  setCosts(costs: readonly CostShare[]): boolean
  /**
   * Returns the hash to replace `stored`, which has just been verified; undefined if its cost is the present one, or if
   * the server is too busy to make another one now.
   */
  renew(password: string, stored: string): Promise<string | undefined>
  /** Throws UNAVAILABLE if the queue is full; called before an attempt is counted. */
  assertCapacity(): void
}

/** Cost of Argon2id: KiB of memory, and the number of passes over it. */
export interface PasswordCost {
  memory: number
  passes: number
}

/** A cost, as the prefix of stored hashes, and its number of accounts. */
export interface CostShare {
  prefix: string
  accounts: number
}

const derive = promisify(argon2)
const productionCost: PasswordCost = { memory: 19_456, passes: 2 }
const algorithm = { parallelism: 1, tagLength: 32 }
const hashPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w-]+)\$([\w-]+)$/
const nonceBytes = 16
const base64urlCharacters = (bytes: number) => Math.ceil((bytes * 4) / 3)
/** Length of a stored hash after its cost: the nonce, `$` and the tag. */
export const nonceAndTagCharacters = base64urlCharacters(nonceBytes) + 1 + base64urlCharacters(algorithm.tagLength)
const maxConcurrent = 2
const maxQueued = 100

const prefixOf = ({ memory, passes }: PasswordCost) => `$argon2id$v=19$m=${memory},t=${passes},p=1$`

/** Returns a hash that no password matches. */
function createDecoyHash(prefix: string): string {
  const [nonce, tag] = [nonceBytes, algorithm.tagLength].map((bytes) => randomBytes(bytes).toString('base64url'))
  return `${prefix}${nonce}$${tag}`
}

/** Parses a stored hash. It carries its own cost, so the present cost can be raised. */
function parseHash(stored: string): { cost: PasswordCost; nonce: Buffer; expected: Buffer } {
  const [, memory, passes, nonce, expected] = hashPattern.exec(stored) ?? []
  if (nonce === undefined || expected === undefined) throw new Error('unknown password hash')
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return { cost: { memory: Number(memory), passes: Number(passes) }, nonce: bytes(nonce), expected: bytes(expected) }
}

/**
 * Maps each name to a fixed point between 0 and 1. Former costs take the lowest points, in proportion to their
 * accounts: as accounts move to the present cost, names without an account do too.
 */
function createDecoys(secrets: Secrets, presentPrefix: string): Pick<Passwords, 'decoyHash' | 'setCosts'> {
  const key = secrets.derive('stand-in-cost')
  const present = createDecoyHash(presentPrefix)
  let former: { hash: string; accounts: number }[] = []
  let total = 0

  return {
    decoyHash(name) {
      let position = (createHmac('sha256', key).update(name).digest().readUInt32BE() / 2 ** 32) * total
      for (const { hash, accounts } of former) {
        if (position < accounts) return hash
        position -= accounts
      }
      return present
    },
    setCosts(costs) {
      const all = costs.map(({ prefix, accounts }) => ({ prefix, hash: createDecoyHash(prefix), accounts }))
      const known = all.filter(({ hash }) => hashPattern.test(hash))
      former = known.filter(({ prefix }) => prefix !== presentPrefix)
      total = known.reduce((sum, { accounts }) => sum + accounts, 0)
      return former.length > 0
    },
  }
}

export function createPasswords(secrets: Secrets, cost = productionCost): Passwords {
  const prefix = prefixOf(cost)
  const secret = secrets.derive('password-pepper').export()
  const waiting: (() => void)[] = []
  let running = 0

  function assertCapacity(): void {
    if (waiting.length >= maxQueued) throw new AppError('UNAVAILABLE', { retryAfter: 5 })
  }

  async function tag(password: string, nonce: Buffer, { memory, passes } = cost): Promise<Buffer> {
    assertCapacity()
    if (running >= maxConcurrent) await new Promise<void>((resolve) => void waiting.push(resolve))
    else running += 1
    try {
      const message = password.normalize('NFKC')
      return await derive('argon2id', { ...algorithm, memory, passes, message, nonce, secret })
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  async function hash(password: string): Promise<string> {
    const nonce = randomBytes(nonceBytes)
    return `${prefix}${nonce.toString('base64url')}$${(await tag(password, nonce)).toString('base64url')}`
  }

  return {
    assertCapacity,
    hash,
    ...createDecoys(secrets, prefix),
    async verify(password, stored) {
      const { cost: storedCost, nonce, expected } = parseHash(stored)
      return timingSafeEqual(await tag(password, nonce, storedCost), expected)
    },
    async renew(password, stored) {
      if (stored.startsWith(prefix)) return undefined
      try {
        return await hash(password)
      } catch (error) {
        if (error instanceof AppError) return undefined
        throw error
      }
    },
  }
}

const refreshIntervalMs = 60 * 60 * 1000

/** Groups accounts by the part of their hash before its nonce. */
const selectCosts = (db: Reader) =>
  db.all<CostShare>(
    `select substr(password_hash, 1, length(password_hash) - ${nonceAndTagCharacters}) as prefix, count(*) as accounts
     from users where length(password_hash) > ${nonceAndTagCharacters} group by 1 order by 1`,
  )

/** Gives `passwords` the costs in use, once at the start and then every hour until no account has a former one. */
export async function watchPasswordCosts(passwords: Passwords, db: Db, background: Background): Promise<void> {
  const read = async () => {
    const costs = await selectCosts(db.read)
    if (!passwords.setCosts(costs)) stop()
  }
  const stop = background.clock.every(refreshIntervalMs, () => background.run('count the costs of passwords', read))
  await read()
}
