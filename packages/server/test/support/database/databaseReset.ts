import { Client } from 'pg'

/** Fingerprint of the tables, columns and triggers of a database: a test may have changed them. */
const form = `select md5(string_agg(line, ' ' order by line)) as form from (
    select concat('table ', oid, relname) as line from pg_class where relnamespace = 'public'::regnamespace
    union all select concat('column ', attrelid, attname, attnotnull) from pg_attribute join pg_class on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace
    union all select concat('trigger ', tgrelid, tgname, tgenabled) from pg_trigger where not tgisinternal
    union all select concat('function ', oid, prosrc) from pg_proc where pronamespace = 'public'::regnamespace) as lines`

const others = 'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

const sequences = `select setval(format('%I', sequencename)::regclass, start_value, false)
  from pg_sequences where schemaname = 'public'`

/** The state of an unused database. */
export interface Fresh {
  form: string
  /** Statements that reset another database of the same form to this state. */
  reset: string
}

async function on<T>(url: string, task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await task(client)
  } finally {
    await client.end()
  }
}

const formOf = async (client: Client) => (await client.query<{ form: string }>(form)).rows[0]?.form ?? ''

export const lookAt = (url: string): Promise<Fresh> =>
  on(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      "select format('%I', tablename) as name from pg_tables where schemaname = 'public'",
    )
    const statements = tables.map(({ name }) => `delete from ${name}`)
    for (const { name } of tables) {
      const { rows } = await client.query<{ rows: string | null }>(`select json_agg(t)::text as rows from ${name} t`)
      const held = rows[0]?.rows ?? null
      if (held === null) continue
      const values = client.escapeLiteral(held)
      statements.push(
        `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, ${values})`,
      )
    }
    return { form: await formOf(client), reset: [...statements, sequences].join(';\n') }
  })

/**
 * Resets a used database; resolves with false if that is impossible. (Creating one takes PostgreSQL as long as twenty
 * resets.)
 */
export const makeFresh = (url: string, fresh: Fresh): Promise<boolean> =>
  on(url, async (client) => {
    if ((await formOf(client)) !== fresh.form) return false
    if ((await client.query(others)).rowCount !== 0) return false
    // Disable foreign keys and triggers.
    await client.query(`begin; set local session_replication_role = replica; ${fresh.reset}; commit`)
    return true
  }).catch(() => false)
