import type pg from 'pg'
import { isLost } from '../errors.ts'

/** For the person who starts the server: the sentence says what to do, and holds no password. */
const unusable = (sentence: string, cause?: unknown): Error =>
  Object.assign(new Error(sentence, { cause }), { name: 'DatabaseUnusable' })

/** user@host:port/database of an address, without its password and options. */
export function nameOf(url: string): string {
  const { username, hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${username === '' ? '' : `${decodeURIComponent(username)}@`}${host}:${port || 5432}${pathname}`
}

/** Other than now: what runs there must not be changed under it, or is newer. */
export const unusableNow = (url: string, sentence: string): Error =>
  unusable(`The database of DATABASE_URL (${nameOf(url)}) ${sentence}`)

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

/** What a person can put right, as a sentence; any other error unchanged. */
export function explainStart(url: string, error: unknown): unknown {
  const code = codeOf(error)
  const known = typeof code === 'string' ? reasons[code] : undefined
  const reason = known ?? (isLost(error) ? (error as Error).message : undefined)
  if (reason === undefined) return error
  return unusable(`Cannot use the database of DATABASE_URL (${nameOf(url)}): ${reason}.`, error)
}

/** Text as bytes order it: what a language's order would turn round. */
const inOrder = ['', '-b', 'B', '_', 'a', 'a b', 'aa', 'b', 'z', 'é', '中', '😀']

/** Refuses a database whose text is not UTF-8, or not ordered by its bytes as everything here has it. */
export async function checkText(client: pg.ClientBase, url: string): Promise<void> {
  const { rows: encodings } = await client.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  )
  const values = inOrder.toReversed().map((_, at) => `($${at + 1})`)
  const { rows } = await client.query<{ v: string }>(
    `select v from (values ${values.join(', ')}) as given (v) order by v`,
    inOrder.toReversed(),
  )
  const isUtf8 = /^utf-?8$/i.test(encodings[0]?.encoding ?? '')
  if (isUtf8 && rows.every(({ v }, at) => v === inOrder[at])) return
  throw unusable(
    `The database of DATABASE_URL (${nameOf(url)}) must hold UTF-8 and order text by its bytes. Create it with: ` +
      "create database privity encoding 'UTF8' locale 'C' template template0",
  )
}
