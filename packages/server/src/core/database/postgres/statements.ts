/** A text of SQL as PostgreSQL takes it. */
export interface Statement {
  text: string
  /** Under which each connection keeps it prepared; undefined for one of too many. */
  name: string | undefined
  /** Whether it can change nothing. */
  reads: boolean
  /** Whether it changes rows in a WITH, which its result does not tell. */
  changesWithin: boolean
  /** Tables whose rows it deletes or replaces. */
  replaces: readonly string[]
}

/** So that texts that differ by the length of a list cannot fill the server's memory. */
const mostPrepared = 1000
/** Of those beyond, these many newest are at least not rewritten each time. */
const mostRewritten = 1000

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

/** The same statement each time for the same text, unless there are too many. */
export function createStatements(): (sql: string) => Statement {
  const known = new Map<string, Statement>()
  const unnamed = new Map<string, Statement>()
  function keep(sql: string, statement: Statement): void {
    const [oldest] = unnamed.keys()
    if (oldest !== undefined && unnamed.size >= mostRewritten) unnamed.delete(oldest)
    unnamed.set(sql, statement)
  }
  return (sql) => {
    let statement = known.get(sql) ?? unnamed.get(sql)
    if (statement !== undefined) return statement
    const name = known.size < mostPrepared ? `privity${known.size}` : undefined
    statement = {
      text: numberPlaceholders(sql),
      name,
      reads: /^\s*(?:select|with)\b/i.test(sql) && !changing.test(sql),
      changesWithin: /^\s*with\b/i.test(sql) && changing.test(sql),
      replaces: [...new Set([...tablesIn(sql, replacing), ...tablesIn(sql, upserted)])],
    }
    if (name !== undefined) known.set(sql, statement)
    else keep(sql, statement)
    return statement
  }
}

/** For every connection of this process: each keeps what it has prepared by the same names. */
export const statementOf = createStatements()
