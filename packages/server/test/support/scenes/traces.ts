import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestServer } from '../server/testServer.ts'
import { onPostgres } from '../database/testDatabase.ts'
import { everyColumn, holdsText, type Place } from '../database/schema.ts'
import { storedBytes } from '../database/storedBytes.ts'

const spell = ({ table, column }: Place) => `${table}.${column}`

/** Every column that contains one of these texts, alone or within a longer text, as table.column. */
export async function findPlaces(server: TestServer, texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const place of await everyColumn(server.core.db.read)) {
    const holds = texts.map(() => holdsText(place)).join(' or ')
    const row = await server.core.db.read.get(`select 1 from "${place.table}" where ${holds} limit 1`, texts)
    if (row !== undefined) found.push(spell(place))
  }
  return found
}

/** Columns that identify a row. */
const names = ['id', 'token_hash']

/**
 * Identifiers of the rows that reference one of these ids, and so on recursively: a user's connections, their messages,
 * the files of those. Rows of `others` are excluded: they identify other users and their data.
 */
export async function idsOfRowsAbout(
  server: TestServer,
  ids: readonly string[],
  others: readonly string[],
): Promise<string[]> {
  const known = new Set(ids)
  const places = (await everyColumn(server.core.db.read)).filter(({ table }) => !others.includes(table))
  const tables = Map.groupBy(places, ({ table }) => table)
  for (let before = -1; before !== known.size;) {
    before = known.size
    for (const [table, columns] of tables) {
      if (!columns.some(({ column }) => names.includes(column))) continue
      const rows = await server.core.db.read.all<Record<string, unknown>>(`select * from "${table}"`)
      for (const row of rows)
        if (
          Object.values(row).some(
            (value) => typeof value === 'string' && value.split(' ').some((word) => known.has(word)),
          )
        )
          for (const name of names) if (typeof row[name] === 'string') known.add(row[name])
    }
  }
  return [...known]
}

/**
 * Every file below the data folder (by relative path), database included, whose name or bytes contain one of these
 * texts.
 */
export async function findFiles({ dataDir }: TestServer, texts: readonly string[]): Promise<string[]> {
  const stored = await storedBytes(dataDir)
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const found: string[] = []
  if (onPostgres && texts.some((text) => stored.includes(text))) found.push('database')
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    if (texts.some((text) => path.includes(text) || bytes.includes(text))) found.push(path.slice(dataDir.length + 1))
  }
  return found
}
