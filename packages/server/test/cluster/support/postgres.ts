/** A private PostgreSQL, see scripts/cluster/postgres.mjs. */
export interface PostgresServer {
  url: string
  port: number
  start(): Promise<void>
  /** Ends connections and stops; what is stored stays. */
  halt(): Promise<void>
  restart(): Promise<void>
  /** Ends at once, as a crash does. */
  kill(): Promise<void>
  /** Takes the server and its folder away. */
  stop(): Promise<void>
}

const script = new URL('../../../../../scripts/cluster/postgres.mjs', import.meta.url).href

export async function startPostgres(options: { durable?: boolean } = {}): Promise<PostgresServer> {
  const { startPostgres: start } = (await import(script)) as {
    startPostgres(options: { durable?: boolean }): Promise<PostgresServer>
  }
  return start(options)
}
