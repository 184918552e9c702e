import type { Reader } from '../../../src/core/database/types.ts'
import type { Secrets } from '../../../src/core/secrets/secrets.ts'
import { everyTable } from './schema.ts'

function opens(secrets: Secrets, text: string): boolean {
  try {
    secrets.decryptAtRest(text)
    return true
  } catch {
    return false
  }
}

/** Every text in the database with its place: table.column, or settings.key. */
export async function everyText(db: Reader): Promise<{ place: string; text: string }[]> {
  const tables = await everyTable(db)
  const found = await Promise.all(
    tables.map(async (name) => {
      const rows = await db.all<Record<string, unknown>>(`select * from "${name}"`)
      return rows.flatMap((row) =>
        Object.entries(row).flatMap(([column, text]) => {
          const place = name === 'settings' ? `settings.${String(row['key'])}` : `${name}.${column}`
          return typeof text === 'string' ? [{ place, text }] : []
        }),
      )
    }),
  )
  return found.flat()
}

/** The places of values that are encrypted with this secret. */
export async function sealedPlaces(db: Reader, secrets: Secrets): Promise<string[]> {
  const sealed = (await everyText(db)).filter(({ text }) => text.length > 37 && opens(secrets, text))
  return [...new Set(sealed.map(({ place }) => place))].sort()
}
