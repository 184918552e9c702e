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
  /**
   * The hash to keep in the place of `stored`, which has just been verified, where its cost is not the present one;
   * undefined where it is, or where the server is too busy to make another now.
   */
  renew(password: string, stored: string): Promise<string | undefined>
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
const algorithm = { parallelism: 1, tagLength: 32 }
const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w-]+)\$([\w-]+)$/
const atOnce = 2
const mostWaiting = 100

const prefixOf = ({ memory, passes }: PasswordCost) => `$argon2id$v=19$m=${memory},t=${passes},p=1$`

/** A stored hash carries the cost that it was made with, so the present one can be raised. */
function readHash(stored: string): { cost: PasswordCost; nonce: Buffer; expected: Buffer } {
  const [, memory, passes, nonce, expected] = form.exec(stored) ?? []
  if (nonce === undefined || expected === undefined) throw new Error('unknown password hash')
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return { cost: { memory: Number(memory), passes: Number(passes) }, nonce: bytes(nonce), expected: bytes(expected) }
}

export function createPasswords(secrets: Secrets, cost = productionCost): Passwords {
  const prefix = prefixOf(cost)
  const secret = secrets.derive('password-pepper').export()
  const nobody = `${prefix}${randomBytes(16).toString('base64url')}$${randomBytes(32).toString('base64url')}`
  const waiting: (() => void)[] = []
  let running = 0

  function admit(): void {
    if (waiting.length >= mostWaiting) throw new AppError('UNAVAILABLE', { retryAfter: 5 })
  }

  async function tag(password: string, nonce: Buffer, { memory, passes } = cost): Promise<Buffer> {
    admit()
    if (running >= atOnce) await new Promise<void>((resolve) => void waiting.push(resolve))
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
    const nonce = randomBytes(16)
    return `${prefix}${nonce.toString('base64url')}$${(await tag(password, nonce)).toString('base64url')}`
  }

  return {
    admit,
    hash,
    async verify(password, stored = nobody) {
      const { cost: costThen, nonce, expected } = readHash(stored)
      return timingSafeEqual(await tag(password, nonce, costThen), expected)
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
