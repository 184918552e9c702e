import type { ClientBase } from 'pg'

/**
 * Columns to change in a copy: those of a unique index (numbers only if the index has no text), references to other
 * rows, and times; without columns that a check constraint limits to certain values.
 */
const changedColumns = `
  select t.relname as "table", a.attname as "column", case
      when a.attname ~ '_at$' then 'time' when a.atttypid = 'bigint'::regtype then 'number' else 'text'
    end as kind
  from pg_class t
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and a.attgenerated = ''
  where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and t.relname <> all ($1)
    and not exists (
      select 1 from pg_constraint where contype = 'c' and conrelid = t.oid and conkey = array[a.attnum]
    ) and (
      a.attname ~ '_at$'
      or exists (select 1 from pg_constraint where contype = 'f' and conrelid = t.oid and a.attnum = any (conkey))
      or exists (
        select 1 from pg_index i
        where i.indrelid = t.oid and i.indisunique and a.attnum = any (i.indkey) and (
          a.atttypid = 'text'::regtype or not exists (
            select 1 from pg_attribute o
            where o.attrelid = t.oid and o.attnum = any (i.indkey) and o.atttypid = 'text'::regtype
          )
        )
      )
    )`

interface ChangedColumn {
  table: string
  column: string
  kind: 'time' | 'number' | 'text'
}

const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** The value in a copy: equal for equal values and copies, in every table. */
const ofCopy = {
  time: (value: string) => `${value} - copy`,
  number: (value: string) => `${value} + copy * 1000000::bigint`,
  text: (value: string) =>
    `case when ${value} ~ '${uuid}' then overlay(${value} placing lpad(to_hex(copy), 4, '0') from 33)
      else ${value} || '~' || copy end`,
}

/** Tables that belong to the deployment or its founder: they do not grow with the users. */
const fewRows = `select relname from pg_class
  where relname ~ '^(kysely_|founder_)' or relname in ('migration_lease', 'session_counts', 'settings', 'processes', 'leases')`

/**
 * Copies the rows of each table that grows with the users until it has at least `rows` of them; a copy references the
 * copies of the original's rows. Returns the tables that reached that size: all but those that were empty.
 */
export async function multiply(client: ClientBase, rows: number): Promise<Set<string>> {
  const few = (await client.query<{ relname: string }>(fewRows)).rows.map(({ relname }) => relname)
  const columns = (await client.query<ChangedColumn>(changedColumns, [few])).rows
  const many = new Set<string>()
  // Disable triggers and foreign keys: a copy is as consistent as its original.
  await client.query('set session_replication_role = replica')
  for (const [table, ofTable] of Map.groupBy(columns, (each) => each.table)) {
    const changed = ofTable.map(({ column, kind }) => `'${column}', ${ofCopy[kind](`t."${column}"`)}`)
    const { rowCount } = await client.query(`insert into "${table}" overriding system value
      select (jsonb_populate_record(t, jsonb_build_object(${changed.join(', ')}))).*
      from "${table}" t cross join generate_series(1, (select ${rows} / greatest(count(*), 1) + 1 from "${table}")) copy
      on conflict do nothing`)
    if ((rowCount ?? 0) >= rows) many.add(table)
    // Number later rows above the copies: a reader that follows a table never looks back.
    for (const { column } of ofTable.filter(({ kind }) => kind === 'number'))
      await client.query(
        `select setval(pg_get_serial_sequence('"${table}"', '${column}'), max("${column}")) from "${table}"`,
      )
  }
  await client.query('set session_replication_role = default')
  await client.query('analyze')
  return many
}
