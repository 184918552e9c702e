import type { Reader } from '../../../src/core/database/types.ts'

/** The schema of a database, in one form for both. */
export interface Tables {
  /** table.column, with its type, nullability and default. */
  columns: string[]
  /** table (columns), preceded by "unique" or "primary", and followed by the condition of a partial index. */
  indexes: string[]
  /** table (column) -> table (column), with the rule on deletion; one line for each column of a key. */
  references: string[]
  /** Number of check constraints per table and columns. */
  checks: string[]
  /** table: name, event. */
  triggers: string[]
}

/** Tables of the migrations themselves. */
const own = ['kysely_migration', 'kysely_migration_lock', 'migration_lease']

/**
 * SQLite returns an expression as written; PostgreSQL returns it parsed, with quotes and casts for numbers above 32
 * bits.
 */
const normal = (expression: string | null): string =>
  (expression ?? '')
    .replaceAll(/'(\d+)'::bigint/g, '$1')
    .replaceAll(/::\w+/g, '')
    .replaceAll(/[()]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

interface Column {
  tbl: string
  name: string
  type: string
  required: number
  initial: string | null
}

const toColumns = (rows: readonly Column[]): string[] =>
  rows.map(({ tbl, name, type, required, initial }) =>
    `${tbl}.${name} ${type}${required === 1 ? '' : ' or null'} ${normal(initial)}`.trim(),
  )

interface Index {
  tbl: string
  kind: string
  columns: string
  condition: string | null
}

const toIndexes = (rows: readonly Index[]): string[] =>
  rows
    .map(({ tbl, kind, columns, condition }) =>
      `${kind} ${tbl} (${normal(columns)}) ${condition === null ? '' : `where ${normal(condition)}`}`.trim(),
    )
    .sort()

interface Reference {
  tbl: string
  column: string
  target: string
  key: string
  rule: string
}

const toReferences = (rows: readonly Reference[]): string[] =>
  rows.map(({ tbl, column, target, key, rule }) => `${tbl} (${column}) -> ${target} (${key}) ${rule}`).sort()

const counted = (rows: readonly { tbl: string; n: number }[]): string[] =>
  rows.filter(({ n }) => n > 0).map(({ tbl, n }) => `${tbl}: ${n}`)

const named = (rows: readonly { tbl: string; name: string }[]): string[] =>
  rows.map(({ tbl, name }) => `${tbl}: ${name}`).sort()

async function sqliteIndexes(db: Reader, tables: readonly string[]): Promise<Index[]> {
  const found: Index[] = []
  for (const tbl of tables) {
    const keys = await db.all<{ name: string; type: string }>(
      'select name, type from pragma_table_info(?) where pk > 0 order by pk',
      [tbl],
    )
    if (keys.length > 0)
      found.push({ tbl, kind: 'primary', columns: keys.map(({ name }) => name).join(', '), condition: null })
    const indexes = await db.all<{ name: string; isUnique: number; origin: string; sql: string | null }>(
      `select l.name, l."unique" as "isUnique", l.origin, s.sql from pragma_index_list(?) l
       left join sqlite_schema s on s.name = l.name where l.origin <> 'pk'`,
      [tbl],
    )
    for (const { name, isUnique, sql } of indexes) {
      const columns = await db.all<{ name: string | null }>('select name from pragma_index_info(?) order by seqno', [
        name,
      ])
      const [, inParentheses, , condition] =
        /on \w+ \(((?:[^()]|\([^()]*\))*)\)(\s+where ([^]*))?$/i.exec(sql ?? '') ?? []
      found.push({
        tbl,
        kind: isUnique === 1 ? 'unique' : 'index',
        columns: inParentheses ?? columns.map((column) => column.name).join(', '),
        condition: condition ?? null,
      })
    }
  }
  return found
}

export async function tablesOfSqlite(db: Reader): Promise<Tables> {
  const tables = (
    await db.all<{ name: string; sql: string }>(
      "select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
    )
  ).filter(({ name }) => !own.includes(name))
  const columns: Column[] = []
  const references: Reference[] = []
  for (const { name: tbl } of tables) {
    columns.push(
      ...(await db.all<Column>(
        `select ? as tbl, name, lower(type) as type, "notnull" as required, dflt_value as initial
         from pragma_table_info(?) order by name`,
        [tbl, tbl],
      )),
    )
    references.push(
      ...(await db.all<Reference>(
        `select ? as tbl, "from" as "column", "table" as target, "to" as key, lower(on_delete) as rule
         from pragma_foreign_key_list(?)`,
        [tbl, tbl],
      )),
    )
  }
  return {
    columns: toColumns(columns),
    indexes: toIndexes(
      await sqliteIndexes(
        db,
        tables.map(({ name }) => name),
      ),
    ),
    references: toReferences(references),
    checks: counted(tables.map(({ name, sql }) => ({ tbl: name, n: sql.split(/\bcheck \(/).length - 1 }))),
    triggers: named(await db.all("select tbl_name as tbl, name from sqlite_schema where type = 'trigger'")),
  }
}

const ofOurs = `n.nspname = 'public' and c.relname not in (${own.map((name) => `'${name}'`).join(', ')})`

export async function tablesOfPostgres(db: Reader): Promise<Tables> {
  const columns = await db.all<Column>(
    `select c.relname as tbl, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull as required, pg_get_expr(d.adbin, d.adrelid) as initial
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where ${ofOurs} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by c.relname, a.attname`,
  )
  const indexes = await db.all<Index>(
    `select c.relname as tbl,
       case when i.indisprimary then 'primary' when i.indisunique then 'unique' else 'index' end as kind,
       (select string_agg(pg_get_indexdef(i.indexrelid, k, true), ', ' order by k)
        from generate_series(1, i.indnkeyatts) as k) as columns,
       pg_get_expr(i.indpred, i.indrelid) as condition
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace where ${ofOurs}`,
  )
  const references = await db.all<Reference>(
    `select c.relname as tbl, a.attname as "column", t.relname as target, b.attname as key,
       case r.confdeltype when 'c' then 'cascade' when 'a' then 'no action' else r.confdeltype::text end as rule
     from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_class t on t.oid = r.confrelid
       cross join unnest(r.conkey, r.confkey) as pair(column_number, key_number)
       join pg_attribute a on a.attrelid = r.conrelid and a.attnum = pair.column_number
       join pg_attribute b on b.attrelid = r.confrelid and b.attnum = pair.key_number
     where r.contype = 'f' and ${ofOurs}`,
  )
  const checks = await db.all<{ tbl: string; n: number }>(
    `select c.relname as tbl, count(*) as n from pg_constraint r join pg_class c on c.oid = r.conrelid
       join pg_namespace n on n.oid = c.relnamespace where r.contype = 'c' and ${ofOurs}
     group by c.relname order by c.relname`,
  )
  const triggers = await db.all<{ tbl: string; name: string }>(
    `select c.relname as tbl, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
       join pg_namespace n on n.oid = c.relnamespace where not t.tgisinternal and ${ofOurs}`,
  )
  return {
    columns: toColumns(
      columns.map((column) => ({ ...column, type: column.type === 'bigint' ? 'integer' : column.type })),
    ),
    indexes: toIndexes(indexes),
    references: toReferences(references),
    checks: counted(checks),
    triggers: named(triggers),
  }
}
