import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '@privity/contract/errors'
import type { Secrets } from './secrets.ts'

/**
 * Argon2id with a pepper from the server's secrets. At most two run at once (each takes a thread of
 * the pool that also syncs files) and a bounded number wait, so that a flood of sign-ins is refused
 * with UNAVAILABLE instead of slowing everyone down.
 */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes the same time for `undefined` (no such account) as for a wrong password. */
  verify(password: string, stored: string | undefined): Promise<boolean>
  /** Throws UNAVAILABLE when too many wait already: asked before anything is counted. */
  admit(): void
}

/** Of Argon2id: KiB of memory, and how often it is filled. */
export interface PasswordCost {
  memory: number
  passes: number
}

const derive = promisify(argon2)
const productionCost: PasswordCost = { memory: 19_456, passes: 2 }
const atOnce = 2
const mostWaiting = 100

export function createPasswords(secrets: Secrets, cost = productionCost): Passwords {
  const parameters = { ...cost, parallelism: 1, tagLength: 32 }
  const prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${parameters.parallelism}$`
  const secret = secrets.derive('password-pepper').export()
  const nobody = `${prefix}${randomBytes(16).toString('base64url')}$${randomBytes(32).toString('base64url')}`
  const waiting: (() => void)[] = []
  let running = 0

  function admit(): void {
    if (waiting.length >= mostWaiting) throw new AppError('UNAVAILABLE', { retryAfter: 5 })
  }

  async function tag(password: string, nonce: Buffer): Promise<Buffer> {
    admit()
    if (running >= atOnce) await new Promise<void>((resolve) => void waiting.push(resolve))
    else running += 1
    try {
      return await derive('argon2id', { ...parameters, message: password.normalize('NFKC'), nonce, secret })
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  return {
    admit,
    async hash(password) {
      const nonce = randomBytes(16)
      return `${prefix}${nonce.toString('base64url')}$${(await tag(password, nonce)).toString('base64url')}`
    },
    async verify(password, stored = nobody) {
      const [nonce, expected] = stored
        .slice(prefix.length)
        .split('$')
        .map((part) => Buffer.from(part, 'base64url'))
      if (!stored.startsWith(prefix) || nonce === undefined || expected === undefined)
        throw new Error('unknown password hash')
      return timingSafeEqual(await tag(password, nonce), expected)
    },
  }
}
