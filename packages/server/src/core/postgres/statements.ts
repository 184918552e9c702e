/** A text of SQL as PostgreSQL takes it. */
export interface Statement {
  text: string
  /** Under which each connection keeps it prepared; undefined for one of too many. */
  name: string | undefined
  /** Whether it changes rows in a WITH, which its result does not tell. */
  changesWithin: boolean
  /** Tables whose rows it deletes or replaces. */
  replaces: readonly string[]
}

/** So that texts that differ by the length of a list cannot fill the server's memory. */
const mostPrepared = 1000

const quotedOrPlaceholder = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?/g

/** Each `?` that is no part of a text or a name becomes $1, $2 … */
export function numberPlaceholders(sql: string): string {
  let n = 0
  return sql.replace(quotedOrPlaceholder, (found) => (found === '?' ? `$${(n += 1)}` : found))
}

const changing = /\b(?:insert|update|delete)\b/i
const replacing = /(?<!\bfor\s+)\b(?:update|delete\s+from|merge\s+into)\s+"?(\w+)"?/gi
const upserted = /\binsert\s+into\s+"?(\w+)"?[^]*\bdo\s+update\b/gi

const tablesIn = (sql: string, pattern: RegExp): string[] =>
  [...sql.matchAll(pattern)].map(([, table]) => table as string).filter((table) => table.toLowerCase() !== 'set')

const known = new Map<string, Statement>()

function createStatement(sql: string): Statement {
  return {
    text: numberPlaceholders(sql),
    name: known.size < mostPrepared ? `privity${known.size}` : undefined,
    changesWithin: /^\s*with\b/i.test(sql) && changing.test(sql),
    replaces: [...new Set([...tablesIn(sql, replacing), ...tablesIn(sql, upserted)])],
  }
}

/** The same statement each time for the same text. */
export function statementOf(sql: string): Statement {
  let statement = known.get(sql)
  if (statement === undefined) {
    statement = createStatement(sql)
    if (statement.name !== undefined) known.set(sql, statement)
  }
  return statement
}
