import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '../../core/core.ts'
import { readCookie, writeCookie, hashToken } from '../../core/sessions/tokens.ts'
import type { Reader, Tx } from '../../core/database/types.ts'

const cookieLifetimeSeconds = 400 * 24 * 60 * 60
const maxDevices = 20

const cookieName = (core: Core) => (core.config.secure ? '__Host-privity_device' : 'privity_device')

function sign(core: Core, id: string): string {
  return createHmac('sha256', core.secrets.derive('device-cookie')).update(id).digest('base64url')
}

/** The id in the signed device cookie; undefined without a cookie that this server signed. */
export function readDevice(core: Core, request: FastifyRequest): string | undefined {
  const [id, signature] = readCookie(request.headers.cookie, cookieName(core))?.split('.') ?? []
  if (id === undefined || signature === undefined) return undefined
  const expected = Buffer.from(sign(core, id))
  const actual = Buffer.from(signature)
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? id : undefined
}

/** The key of this browser's own failure counter for an account it has signed in to before, else ''. */
export async function knownDevice(db: Reader, userId: string | undefined, device: string | undefined): Promise<string> {
  if (userId === undefined || device === undefined) return ''
  const hashed = hashToken(device)
  const known = await db.get('select 1 from known_devices where user_id = ? and device = ?', [userId, hashed])
  return known === undefined ? '' : hashed
}

/** In the place of the ids of browsers that keep none. No cookie has it, so none of them is known. */
const unknownDevice = 'unknown'

/** Records that this browser gave the password of the account; keeps only the browsers seen last. */
export async function recordDevice(tx: Tx, userId: string, now: number, device = unknownDevice): Promise<void> {
  await tx.run(
    `insert into known_devices (user_id, device, first_seen_at, last_seen_at) values (?, ?, ?, ?)
     on conflict (user_id, device) do update set last_seen_at = excluded.last_seen_at`,
    [userId, hashToken(device), now, now],
  )
  await tx.run(
    `delete from known_devices where user_id = ? and device not in
     (select device from known_devices where user_id = ? order by last_seen_at desc limit ?)`,
    [userId, userId, maxDevices],
  )
}

/** Deletes all known browsers of a user but the one whose hash is `device`: they signed in with the old password. */
export const deleteOtherDevices = (tx: Tx, userId: string, device: string) =>
  tx.run('delete from known_devices where user_id = ? and device <> ?', [userId, device])

export const newDevice = (): string => randomBytes(16).toString('base64url')

/** `endsWithBrowser`: the browser keeps it only until it is closed, for the second factor. */
export function sendDevice(core: Core, reply: FastifyReply, device: string, endsWithBrowser = false): void {
  const lifetime = endsWithBrowser ? undefined : cookieLifetimeSeconds
  const value = `${device}.${sign(core, device)}`
  reply.header('set-cookie', writeCookie(cookieName(core), value, core.config.secure, lifetime))
}

export function clearDevice(core: Core, reply: FastifyReply): void {
  reply.header('set-cookie', writeCookie(cookieName(core), '', core.config.secure, 0))
}
