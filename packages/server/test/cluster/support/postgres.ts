/** A private PostgreSQL, see scripts/cluster/postgres.mjs. */
export interface PostgresServer {
  url: string
  port: number
  start(): Promise<void>
  /** Closes connections and stops; the data stays. */
  halt(): Promise<void>
  restart(): Promise<void>
  /** Ends at once, like a crash. */
  kill(): Promise<void>
  /** Stops the server and deletes its folder. */
  stop(): Promise<void>
}

const script = new URL('../../../../../scripts/cluster/postgres.mjs', import.meta.url).href

export async function startPostgres(options: { durable?: boolean } = {}): Promise<PostgresServer> {
  const { startPostgres: start } = (await import(script)) as {
    startPostgres(options: { durable?: boolean }): Promise<PostgresServer>
  }
  return start(options)
}
