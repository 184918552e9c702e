/** A private Valkey or Redis, see scripts/cluster/redis.mjs. */
export interface RedisServer {
  url: string
  port: number
  start(): Promise<void>
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

const script = new URL('../../../../../scripts/cluster/redis.mjs', import.meta.url).href

export async function startRedis(options: { password?: string } = {}): Promise<RedisServer> {
  const { startRedis: start } = (await import(script)) as {
    startRedis(options: { password?: string }): Promise<RedisServer>
  }
  return start(options)
}
