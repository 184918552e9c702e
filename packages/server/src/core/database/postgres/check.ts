import type pg from 'pg'
import { decodePercent } from '../../config/addresses.ts'
import { isLost } from '../errors.ts'

/** An error for the operator: its message names the remedy and holds no password. */
const createStartError = (sentence: string, cause?: unknown): Error =>
  Object.assign(new Error(sentence, { cause }), { name: 'DatabaseUnusable' })

/** Returns user@host:port/database of an address, without its password and options. */
export function describeDatabase(url: string): string {
  const { username, hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${username === '' ? '' : `${decodePercent(username) ?? username}@`}${host}:${port || 5432}${pathname}`
}

/** An error for a database that must not be migrated: changed by a newer version, or in use by running servers. */
export const createUnusableError = (url: string, sentence: string): Error =>
  createStartError(`The database of DATABASE_URL (${describeDatabase(url)}) ${sentence}`)

const codeOf = (error: unknown) => (error as { code?: unknown }).code

const reasons: Record<string, string> = {
  '28P01': 'the password is not right',
  '28000': 'the server does not let this user in',
  '3D000': 'there is no such database: create it first',
  '42501': 'this user may not create tables there: make it the owner of the database',
  '53300': 'the server has no connection left',
  '57P03': 'the server is just starting or stopping',
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'there is no host of that name',
}

/** Converts an error that the operator can correct; returns any other error unchanged. */
export function explainStart(url: string, error: unknown): unknown {
  const code = codeOf(error)
  const listed = typeof code === 'string' ? reasons[code] : undefined
  const reason = listed ?? (isLost(error) ? (error as Error).message : undefined)
  if (reason === undefined) return error
  return createStartError(`Cannot use the database of DATABASE_URL (${describeDatabase(url)}): ${reason}.`, error)
}

/** Texts in byte order; the collation of a language would order them differently. */
const byteOrdered = ['', '-b', 'B', '_', 'a', 'a b', 'aa', 'b', 'z', 'é', '中', '😀']

/** Throws unless the database stores UTF-8 and orders text by bytes, which the server relies on. */
export async function checkText(client: pg.ClientBase, url: string): Promise<void> {
  const { rows: encodings } = await client.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  )
  const values = byteOrdered.toReversed().map((_, index) => `($${index + 1})`)
  const { rows } = await client.query<{ v: string }>(
    `select v from (values ${values.join(', ')}) as given (v) order by v`,
    byteOrdered.toReversed(),
  )
  const isUtf8 = /^utf-?8$/i.test(encodings[0]?.encoding ?? '')
  if (isUtf8 && rows.every(({ v }, index) => v === byteOrdered[index])) return
  throw createStartError(
    `The database of DATABASE_URL (${describeDatabase(url)}) must hold UTF-8 and order text by its bytes. Create it with: ` +
      "create database privity encoding 'UTF8' locale 'C' template template0",
  )
}
